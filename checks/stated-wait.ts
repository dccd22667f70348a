import { secondsIn, unsureSecondsIn } from '../contract/announced-wait.ts';
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
  const { own, by } = sortedOf(target, soFar);
  if (secondsOf(target) === null || by('stated-again').length > 0 || isShown(target, own)) return null;
  const last = own.reduce((latest, one) => (endedMs(one) > endedMs(latest) ? one : latest));
  const [asked] = by('stated-wait');
  if (asked === undefined) return askAt(target, 'stated-wait', endedMs(last) + restMs(target), nowMs);
  const singles = by('stated-single');
  const filled = [...by('stated-fill'), ...singles];
  if (last.outcome === 'limited' && last !== asked)
    return askAt(target, 'stated-again', endedMs(last) + waitMs(target), nowMs);
  if (asked.outcome !== 'admitted' || singles.length >= singlesMax(target.limit)) return null;
  const limit = leastOf([target.limit, ...(target.parts ?? []).map((part) => part.limit)]);
  const most = mostRequestsIn(limit, target) - 1 - leftToSingles;
  if (filled.length === 0 && most > 0) return send('stated-fill', cheapest(target, most));
  return send('stated-single', cheapest(target, 1));
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

type Waiting = Pick<Target, 'announcing' | 'windowMs'>;

/** The documented wait, and a second more, by any clock, ms. */
function waitMs({ announcing }: Pick<Waiting, 'announcing'>): number {
  return waitIsOverMs(bounds.granularityMs, secondsOf({ announcing }) ?? 0) + 1;
}

/** After that the whole limit is there, ms. */
function restMs(target: Waiting): number {
  return Math.max(waitMs(target), backAfterMs(target.windowMs));
}

function secondsOf({ announcing }: Pick<Target, 'announcing'>): number | null {
  return announcing.document.refusal?.waitSeconds ?? null;
}

/** When the wait after a refusal is over by any clock, ms; never for any other answer. */
function overMs(target: Target, exchange: Exchange, moreSeconds: number): number {
  const seconds = secondsIn('stated', exchange, target.announcing) ?? Number.POSITIVE_INFINITY;
  return waitIsOverMs(endedMs(exchange), seconds + moreSeconds);
}

/** Whether a request was admitted when the wait after the first of some refusals had just been over. */
function isShown(target: Target, own: readonly Exchange[]): boolean {
  const sent = own.toSorted((one, other) => one.sentMs - other.sentMs);
  const dues: { readonly fromMs: number; readonly untilMs: number }[] = [];
  let isFirst = true;
  for (const one of sent) {
    if (one.outcome === 'limited' && isFirst) {
      const untilMs = overMs(target, one, unsureSecondsIn('stated', one, target.announcing));
      dues.push({ fromMs: overMs(target, one, 0), untilMs: untilMs + bounds.granularityMs });
    }
    isFirst = one.outcome === 'admitted';
  }
  let at = 0;
  return sent.some(({ outcome, sentMs }) => {
    while ((dues[at]?.untilMs ?? Number.POSITIVE_INFINITY) <= sentMs) at += 1;
    return outcome === 'admitted' && (dues[at]?.fromMs ?? Number.POSITIVE_INFINITY) <= sentMs;
  });
}

/** What that adds to a probe at most, of so many requests that fill its limit: requests, and ms. */
export function statedWaitOf(
  target: Waiting,
  limit: number,
): { readonly requests: number; readonly ms: number } {
  if (secondsOf(target) === null) return { requests: 0, ms: 0 };
  return { requests: limit + singlesMax(limit) + 2, ms: restMs(target) + waitMs(target) };
}
