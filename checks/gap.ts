import { windowMsAtMost } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import { greatestOf, leastOf } from '../contract/extremes.ts';
import { excess, excesses } from './burst.ts';
import { firstOfTwoBackMs, secondAtMs } from './few-places.ts';
import { mayHaveFilledItself } from './filled-itself.ts';
import { isEarly, returned } from './returned.ts';
import { isSearch } from './single-places.ts';
import { endedMs, type History, lastEndedMs, requests, type Step, send, type Target } from './steps.ts';
import { drawnInteger } from './variation.ts';

/** What was taken before the single places: by the fill, and by what came before it. */
function filledOf({ own, by }: History): readonly Exchange[] {
  // Of several at once, the first answered need not be the first sent.
  const fromMs = leastOf([...by('single'), ...by('saturate')].map(({ sentMs }) => sentMs));
  return own.filter(({ sentMs, outcome }) => sentMs < fromMs && outcome === 'admitted');
}

/** Where all of so many requests are admitted, the window is not asked to its edge any more. */
const edgesMax = 5 * excess;

/**
 * Between the expiry of the fill and that of the saturation, exactly the fill may have come back. All places but the
 * last are taken first. The last admission then comes after answered requests alone, so it shows whether rejected
 * requests count. Where answers take long, places that were taken one by one come back meanwhile too, and the edge is asked
 * for again: only its 429 shows that not all places came back at once.
 */
export function gap(target: Target, seen: History, nowMs: number): Step | null {
  const { by } = seen;
  const edges = by('gap-edge');
  if (by('reburst').length > 0 || returned(seen).length === 0 || mayHaveFilledItself(target, seen))
    return null;
  if (edges.length >= edgesMax) return null;
  if (edges.some(({ outcome }) => outcome !== 'admitted')) return null;
  const closesMs = gapClosesMs(target, seen);
  if (nowMs >= closesMs) return null;
  const opensMs = gapOpensMs(target, seen);
  if (by('gap').length === 0 && nowMs < opensMs && opensMs < closesMs)
    return { kind: 'wait', why: 'until the fill has left the window', untilMs: opensMs };
  const over = edges.length > 0 ? excess : drawnInteger(target.vary, excesses, 'gap-edge');
  const left = filledOf(seen).length - returned(seen).length - 1;
  // Where all of these places are taken again already, the next request is the one at the edge.
  if (by('gap').length > 0 || left < 0) return send('gap-edge', requests(target, over));
  // Where other places come back before it is answered, all is asked at once.
  if (nowMs + tripMs(seen) > othersBackMs(target, seen))
    return send('gap-edge', requests(target, left + over));
  return send('gap', requests(target, Math.max(1, left)));
}

/** How long an answer took at most, ms, where the window was full or its first places were coming back. */
function tripMs({ own, by }: History): number {
  const asked = [...by('confirm'), ...own.filter(isSearch)];
  return greatestOf(asked.map((exchange) => endedMs(exchange) - exchange.sentMs));
}

/** When places of the saturation may come back. */
function gapClosesMs(target: Target, seen: History): number {
  const { windowMs } = target;
  const firstMs = firstOfTwoBackMs(target, seen);
  if (firstMs !== null) return firstMs + windowMs - 50;
  return (seen.by('saturate')[0]?.sentMs ?? 0) + windowMs - 50;
}

/** So many answers have to be waited for in the gap, one after another. */
const gapTrips = 2;

/**
 * Whether the gap has to be asked in before a request that is due at a moment, ms: after that one the single places come back. In a
 * short window the waits that confirming 429s announced may be over later than that.
 */
export function isGapBefore(target: Target, seen: History, dueMs: number): boolean {
  return dueMs + gapTrips * tripMs(seen) > othersBackMs(target, seen);
}

/** When the first of the places may come back that were taken after the fill. */
function othersBackMs(target: Target, seen: History): number {
  const backMs = (seen.by('single')[0]?.sentMs ?? Number.POSITIVE_INFINITY) + target.windowMs;
  return Math.min(backMs, gapClosesMs(target, seen));
}

/**
 * When the fill has certainly left: where answers take long, that is well after the anchor has. What came back early came
 * back some other way.
 */
function gapOpensMs(target: Target, seen: History): number {
  const [first] = returned(seen);
  if (first === undefined || isEarly(target, seen, first)) return 0;
  const firstMs = firstOfTwoBackMs(target, seen);
  if (firstMs !== null) return secondAtMs(target, firstMs);
  return Math.max(0, lastEndedMs(filledOf(seen))) + windowMsAtMost(target.windowMs);
}
