import { held, inconclusive, notApplicable, type Verdict, violated } from '../../contract/verdict.ts';
import { secondsText } from '../evidence.ts';
import { clientEvidence } from './evidence.ts';
import type { ClientRequest, Wait, WhyUnknown } from './requests.ts';

/** The requests that got a 429. */
export function refusedOf(requests: readonly ClientRequest[]): readonly ClientRequest[] {
  return requests.filter(({ arrivals }) => arrivals.some(({ status }) => status === 429));
}

/** What is said of the advice on retries where a client sent requests, and needed none. */
export const neverRefused: Verdict = notApplicable('never refused, so there was nothing to retry');

/** Why nothing can be said where no retry is known to be one. */
export function noRetries(requests: readonly ClientRequest[]): Verdict {
  const refused = refusedOf(requests);
  if (requests.length === 0) return inconclusive('no request came');
  if (refused.length === 0) return neverRefused;
  const unknown = unknownAmong(refused);
  if (unknown !== null) return inconclusive(unknown);
  if (refused.some(({ isDoubled }) => isDoubled))
    return inconclusive('refused requests were sent again before their answer: none is known to be a retry');
  return inconclusive('no request was sent again after its 429');
}

const unknownText = {
  alike:
    'requests that were refused are all alike: give each an Idempotency-Key, or a body of its own, so that a retry can be recognised',
  'asked-anew':
    'what was refused may have been asked for anew, and not again: give each request an Idempotency-Key, or say how many different ' +
    'ones there are (--jobs)',
  'one-key-for-several':
    'one Idempotency-Key stands for requests that differ: give each request its own, the same for its retries alone',
} as const satisfies Record<WhyUnknown, string>;

/** Why some of these requests are not known to be one each, and what to do; `null` where all are. */
export function unknownAmong(requests: readonly ClientRequest[]): string | null {
  const why = requests.find(({ whyUnknown }) => whyUnknown !== null)?.whyUnknown ?? null;
  return why === null ? null : unknownText[why];
}

/** `client.waits`: the measured wait is longer than the client's own, so that one that is too short surely was. */
export function judgeWaits(requests: readonly ClientRequest[]): Verdict {
  const unserved = unservedText(requests);
  const timed = requests.flatMap(({ waits }) => waits.filter(({ toldMs }) => toldMs !== null));
  if (timed.length === 0) {
    if (requests.length === 0 || refusedOf(requests).length > 0) return noRetries(requests);
    const { length } = requests;
    if (unserved !== null) return inconclusive(unserved);
    // Nobody has to wait who is never refused: a client that paces itself does better than one that waits.
    return held(`kept; never refused (${length} ${length === 1 ? 'request' : 'requests'})`);
  }
  const early = timed.filter(({ waitedMs, toldMs }) => toldMs !== null && waitedMs < toldMs);
  if (early.length === 0) {
    if (unserved !== null) return inconclusive(unserved);
    return held(`${timed.length} ${timed.length === 1 ? 'retry' : 'retries'}, none too early`);
  }
  const worst = early.reduce((most, wait) => (shortBy(wait) > shortBy(most) ? wait : most));
  const least = leastText(worst);
  const evidence = clientEvidence(
    {
      expected: `at least ${least} from this 429 to the next attempt`,
      observed: `${early.length} of ${timed.length} retries came too early; one after ${secondsText(worst.waitedMs)} instead of ${least}`,
      total: early.length,
    },
    [worst.refusal, worst.retry],
  );
  return violated('too-early', evidence);
}

/** How requests were answered none of which was admitted, though not all were refused; `null` where some was, or the limit is why. */
function unservedText(requests: readonly ClientRequest[]): string | null {
  const statuses = requests.flatMap(({ arrivals }) => arrivals.map(({ status }) => status));
  const isServed = requests.some(({ admitted }) => admitted > 0);
  if (isServed || statuses.every((status) => status === null || status === 429)) return null;
  const counts = [...Map.groupBy(statuses, (status) => status)].map(
    ([status, all]) => `${all.length} × ${status ?? 'no answer'}`,
  );
  return `no request was admitted: ${counts.join(', ')}. Send what is served, and more of it than the limit lets pass`;
}

/** How long a client had to wait, as the 429 told it. */
function leastText({ refusal: { untilMs, answeredMs, retryAfterSeconds } }: Wait): string {
  const isMoment = untilMs !== undefined && answeredMs !== null;
  return isMoment ? secondsText(untilMs - answeredMs) : `${retryAfterSeconds} s`;
}

function shortBy({ waitedMs, toldMs }: Wait): number {
  return (toldMs ?? 0) - waitedMs;
}
