import { held, inconclusive, notApplicable, type Verdict, violated } from '../../contract/verdict.ts';
import { secondsText } from '../evidence.ts';
import { clientEvidence } from './evidence.ts';
import type { ClientRequest, Wait } from './requests.ts';

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
  if (refused.some(({ isOne }) => !isOne))
    return inconclusive(
      'requests that were refused are all alike: give each an Idempotency-Key, or a body of its own, so that a retry can be recognised',
    );
  if (refused.some(({ isDoubled }) => isDoubled))
    return inconclusive('refused requests were sent again before their answer: none is known to be a retry');
  return inconclusive('no request was sent again after its 429');
}

/** `client.waits`: the measured wait is longer than the client's own, so that one that is too short surely was. */
export function judgeWaits(requests: readonly ClientRequest[]): Verdict {
  const timed = requests.flatMap(({ waits }) => waits.filter(({ toldMs }) => toldMs !== null));
  if (timed.length === 0) {
    const { length } = requests;
    // Nobody has to wait who is never refused: a client that paces itself does better than one that waits.
    return length > 0 && refusedOf(requests).length === 0
      ? held(`kept; never refused (${length} ${length === 1 ? 'request' : 'requests'})`)
      : noRetries(requests);
  }
  const early = timed.filter(({ waitedMs, toldMs }) => toldMs !== null && waitedMs < toldMs);
  if (early.length === 0) {
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

/** How long a client had to wait, as the 429 told it. */
function leastText({ refusal: { untilMs, answeredMs, retryAfterSeconds } }: Wait): string {
  const isMoment = untilMs !== undefined && answeredMs !== null;
  return isMoment ? secondsText(untilMs - answeredMs) : `${retryAfterSeconds} s`;
}

function shortBy({ waitedMs, toldMs }: Wait): number {
  return (toldMs ?? 0) - waitedMs;
}
