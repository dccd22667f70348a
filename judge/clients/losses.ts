import type { Arrival, ClientTrace } from '../../contract/clients/trace.ts';
import { howMany } from '../../contract/quantities.ts';
import { held, inconclusive, type Verdict, violated } from '../../contract/verdict.ts';
import { clientEvidence } from './evidence.ts';
import { isUnanswered, renamedAmong } from './renamed.ts';
import type { ClientRequest } from './requests.ts';
import { neverRefused, refusedOf, unknownAmong } from './waits.ts';

/**
 * What became of a request in the end. `open`: the watch ended before the client had to come back. `renamed`: the same came later, by
 * another Idempotency-Key, and may be its retry.
 */
type Fate = 'answered' | 'lost' | 'open' | 'unknown' | 'renamed';

/** `client.loses-nothing`: every refused request is followed to its end. */
export function judgeLosses(requests: readonly ClientRequest[], trace: ClientTrace): Verdict {
  const refused = refusedOf(requests);
  const renamed = renamedAmong(requests);
  const fates = refused.map((request) => fateOf(request, trace, renamed));
  const lost = refused.filter((_request, at) => fates[at] === 'lost');
  const unsent = unsentOf(requests, trace);
  if (lost.length > 0 || unsent > 0) {
    const parts = [
      ...(lost.length > 0 ? [`${lost.length} of ${refused.length} refused requests were given up`] : []),
      ...(unsent > 0 ? [`${unsent} of the announced requests never came`] : []),
    ];
    const shown = lost[0]?.arrivals ?? [];
    const seen = { observed: parts.join('; '), total: lost.length + unsent };
    return violated('lost', clientEvidence({ expected: 'each is admitted in the end', ...seen }, shown));
  }
  if (requests.length === 0) return inconclusive('no request came');
  if (refused.length === 0) return neverRefused;
  const open = fates.filter((fate) => fate === 'open').length;
  if (open > 0)
    return inconclusive(
      `${open} of ${refused.length} refused requests may still be sent again: watch for longer`,
    );
  const unknown = unknownAmong(refused);
  if (unknown !== null) return inconclusive(unknown);
  if (fates.includes('renamed'))
    return inconclusive(
      'what was refused may have come again under another Idempotency-Key: keep that of a request for its retries',
    );
  const admitted = refused.filter((request) => request.admitted > 0).length;
  const others = refused.length - admitted;
  const ends = others === 0 ? 'all admitted' : `${admitted} admitted and ${others} answered otherwise`;
  return held(
    `${refused.length} refused ${refused.length === 1 ? 'request' : 'requests'}, ${ends} in the end`,
  );
}

function fateOf(
  request: ClientRequest,
  { end, arrivals: all }: ClientTrace,
  renamed: ReadonlySet<ClientRequest>,
): Fate {
  const { isOne, admitted, arrivals, waits } = request;
  if (!isOne) return 'unknown';
  const last = arrivals.at(-1);
  if (admitted > 0 || !isUnanswered(last)) return 'answered';
  if (renamed.has(request)) return 'renamed';
  if (end?.clientIsDone === true) return 'lost';
  const endMs = end?.endedAtMs ?? all.at(-1)?.arrivedMs;
  if (last === undefined || endMs === undefined) return 'open';
  return endMs - (last.answeredMs ?? last.arrivedMs) > patienceMs(last, waits.at(-1)?.waitedMs ?? 0)
    ? 'lost'
    : 'open';
}

/** A client that doubles its waits comes back within twice its last wait, or what the 429 asked for, and half a minute. */
function patienceMs({ retryAfterSeconds }: Arrival, waitedMs: number): number {
  return 2 * Math.max((retryAfterSeconds ?? 0) * 1_000, waitedMs) + 30_000;
}

/** Requests that were announced and never arrived; none where the client may not be done, or they are all alike. */
function unsentOf(requests: readonly ClientRequest[], { header, end }: ClientTrace): number {
  if (end?.clientIsDone !== true || requests.some(({ isOne }) => !isOne)) return 0;
  return Object.entries(header.requestsExpected).reduce((unsent, [key, expected]) => {
    return unsent + Math.max(0, expected - requests.filter((request) => request.key === key).length);
  }, 0);
}

/** `client.repeats-nothing`: an admission of what was admitted already, or of what was on its way. */
export function judgeRepeats(requests: readonly ClientRequest[]): Verdict {
  const sure = requests.filter(({ arrivals }) => arrivals[0]?.identity.by === 'idempotency-key');
  const repeated = sure.filter(({ admitted, isDoubled }) => admitted > 1 || isDoubled);
  const [first] = repeated;
  if (first !== undefined) {
    const observed = `${repeated.length} of ${howMany(sure.length, 'request')} ${sure.length === 1 ? 'was' : 'were'} admitted twice, or sent again before their answer`;
    const seen = { expected: 'each is admitted once', observed, total: repeated.length };
    return violated('repeated', clientEvidence(seen, first.arrivals));
  }
  if (sure.length > 0)
    return held(`${howMany(sure.length, 'request')}, distinguished by their Idempotency-Key`);
  return inconclusive('no request had an Idempotency-Key: two that are alike may be one sent twice, or two');
}
