import { bounds, waitIsOverMs } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import { leastOf } from '../contract/extremes.ts';
import { cheapest, mostRequestsIn } from './mixed-requests.ts';
import { backAfterMs } from './promised-times.ts';
import { sortedOf } from './sorted-history.ts';
import { endedMs, type Step, send, type Target } from './steps.ts';

/**
 * After all else, where the document has a refused client wait for so long: the key is left alone for that wait, and for a window;
 * the limit is filled until a first refusal; and the key is left alone again, for the wait and a second more, since a window may be held
 * so much longer. So nothing but that one refusal may have begun what shuts a client out, nor prolonged it. `null` where the document
 * says nothing, or what came before shows it.
 */
export function keepStatedWait(target: Target, soFar: readonly Exchange[], nowMs: number): Step | null {
  const seconds = secondsOf(target);
  if (seconds === null) return null;
  const { own, by } = sortedOf(target, soFar);
  if (by('stated-again').length > 0 || isShown(own, seconds)) return null;
  const last = own.reduce((latest, one) => (endedMs(one) > endedMs(latest) ? one : latest));
  const waitedMs = surelyOverMs(last, seconds) + 1;
  const [asked] = by('stated-wait');
  if (asked === undefined) {
    const fullMs = endedMs(last) + backAfterMs(target.windowMs);
    return askAt(target, 'stated-wait', Math.max(waitedMs, fullMs), nowMs);
  }
  if (last.outcome === 'limited' && last !== asked) return askAt(target, 'stated-again', waitedMs, nowMs);
  const singles = by('stated-single');
  if (asked.outcome !== 'admitted' || singles.length >= singlesMax(target.limit)) return null;
  const limit = leastOf([target.limit, ...(target.parts ?? []).map((part) => part.limit)]);
  const most = mostRequestsIn(limit, target) - 1 - leftToSingles;
  const isFilled = most <= 0 || by('stated-fill').length > 0;
  return isFilled ? send('stated-single', cheapest(target, 1)) : send('stated-fill', cheapest(target, most));
}

function askAt(target: Target, purpose: string, dueMs: number, nowMs: number): Step {
  if (nowMs < dueMs) return { kind: 'wait', why: 'waiting as documented', untilMs: dueMs };
  return send(purpose, cheapest(target, 1));
}

/** So many of the limit are taken one by one, so that its first refusal comes alone. */
const leftToSingles = 2;

/** As many again where places come back meanwhile. */
function singlesMax(limit: number): number {
  return 2 * leftToSingles + Math.ceil(limit / 20);
}

function secondsOf({ announcing }: Pick<Target, 'announcing'>): number | null {
  return announcing.document.refusal?.waitSeconds ?? null;
}

/** When the wait after an answer may be over, ms. */
function maybeOverMs(exchange: Exchange, seconds: number): number {
  return waitIsOverMs(endedMs(exchange), seconds);
}

/** When it is by any clock, and though a window be held a second longer, ms. */
function surelyOverMs(exchange: Exchange, seconds: number): number {
  return maybeOverMs(exchange, seconds + heldSeconds);
}

const heldSeconds = bounds.granularityMs / 1_000;

/** Whether a request was admitted when the wait after the first of some refusals had just been over. */
function isShown(own: readonly Exchange[], seconds: number): boolean {
  const sent = own.toSorted((one, other) => one.sentMs - other.sentMs);
  const firsts = sent.filter(
    (one, at) => one.outcome === 'limited' && (sent[at - 1]?.outcome ?? 'admitted') === 'admitted',
  );
  let at = 0;
  const untilMs = (one: Exchange): number => surelyOverMs(one, seconds) + bounds.granularityMs;
  return sent.some(({ outcome, sentMs }) => {
    while (at < firsts.length && untilMs(firsts[at] as Exchange) <= sentMs) at += 1;
    const first = firsts[at];
    return outcome === 'admitted' && first !== undefined && maybeOverMs(first, seconds) <= sentMs;
  });
}

/** What that adds to a probe at most, of so many requests that fill its limit: requests, and ms. */
export function statedWaitOf(
  target: Pick<Target, 'announcing' | 'windowMs'>,
  limit: number,
): { readonly requests: number; readonly ms: number } {
  const seconds = secondsOf(target);
  if (seconds === null) return { requests: 0, ms: 0 };
  const waitMs = waitIsOverMs(0, seconds + heldSeconds) + 1;
  const restMs = Math.max(waitMs, backAfterMs(target.windowMs));
  return { requests: limit + singlesMax(limit) + 2, ms: restMs + waitMs };
}
