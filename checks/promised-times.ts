import { bounds } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import { boundaryAsksMs } from './clock-windows.ts';
import type { Target } from './steps.ts';

/** What decides how long the probe of a limit takes that is no rolling window, and what it waits for. */
export type Kind = Pick<Target, 'promise' | 'isDoubtful' | 'windowMs' | 'limit'>;

/** How often capacity is seen to come back; who may keep any limiter has to be left alone for a window at last, as a bucket has. */
export function cyclesOf(kind: Kind): number {
  return usualCyclesOf(kind) + (kind.isDoubtful ? 1 : 0);
}

/** The same where no refusal may have been an outage's. */
function usualCyclesOf({ promise, windowMs, limit }: Kind): number {
  if (promise === 'token-bucket') return 2;
  if (windowMs < shortMs) return 4;
  // Two places that come back together are more than twice in a window only then.
  return promise === 'unsaid' || (promise === 'at-most' && limit === 2) ? 3 : 2;
}

/**
 * Whether the burst of a cycle, from 0, sends more at once than are left: who reads a count before it adds to it lets too many pass
 * then, and never else. That too few pass, the bursts before have shown.
 */
export function isBeyondIn(kind: Kind, cycle: number): boolean {
  return cycle >= usualCyclesOf(kind) - beyondBursts(kind);
}

function beyondBursts(kind: Kind): number {
  if (kind.promise === 'at-least') return 0;
  // One alone may have met the moment at which a window begins anew.
  if (mayLieAnywhere(kind)) return 2;
  // Where places come back one by one, whoever asks for all of a limit meets fewer free ones, unless it has that few.
  return kind.limit <= 3 ? 1 : 0;
}

/** Whether the key is left alone at last, so that all of the limit has to be there at once. */
function hasAlone({ promise, windowMs }: Kind): boolean {
  return promise !== 'fixed' || windowMs < shortMs;
}

/** Before the cycle with this number, from 0, and each later one, the key is left alone. */
export function aloneFrom(kind: Kind): number {
  return hasAlone(kind) ? usualCyclesOf(kind) - 1 : Number.POSITIVE_INFINITY;
}

/**
 * In windows below this, what whole seconds explain is much of a window: windows of another length are told only by how far they have
 * come apart after several of them.
 */
export const shortMs = 30_000;

/** At each time before capacity has to be back. */
const rungs = [0.5, 0.75, 0.9, 0.97, 0.99, 0.997] as const;

/**
 * In a window in which all that was taken is out before it has to be back by a clock of whole seconds, also when it has to be
 * back by any other: what begins anew then lets its limit pass twice within a window.
 */
const shortRungs = [...rungs, 1.005, 1.03, 1.1] as const;

/**
 * A bucket shows how fast it fills by one look; each more would only take from it. Of two places one has to be back by then, though
 * requests were refused meanwhile.
 */
const bucketRungs = { usual: [0.5], ofTwo: [0.75] } as const;

/** When capacity is asked for, as shares of such a window, ascending. */
export function rungsOf({
  promise,
  windowMs,
  limit,
}: Pick<Kind, 'promise' | 'windowMs' | 'limit'>): readonly number[] {
  if (promise === 'token-bucket') return limit === 2 ? bucketRungs.ofTwo : bucketRungs.usual;
  return isBackBeforeFull(windowMs) ? rungs : shortRungs;
}

/** The last of them, where the key is left alone before. */
export function lastRungsOf(kind: Pick<Kind, 'promise' | 'windowMs' | 'limit'>): readonly number[] {
  return rungsOf(kind).filter((share) => share >= leftAloneShare);
}

const leftAloneShare = 0.97;

/** Whether what was filled first has to be back before the rest of it is a window old. */
function isBackBeforeFull(windowMs: number): boolean {
  return backAfterMs(windowMs) < windowMs + promisedFillMs(windowMs);
}

/**
 * How long after a window has to be over the next one is begun, of windows that begin with a request, ms: those of the clock do not
 * begin then, so they end within one. `null` where windows begin otherwise, or are too short to show it.
 */
export function begunLateMs({ aligned, windowMs }: Pick<Target, 'aligned' | 'windowMs'>): number | null {
  return aligned === 'first-request' && isBackBeforeFull(windowMs) ? lateShare * windowMs : null;
}

/** More than what lies between the last rung and the end of a window. */
const lateShare = 0.01;

/** How many of them there are at most. */
export const rungsMax = shortRungs.length;

/** Between the fill and the saturation, ms: a window that is held a second longer is told from one that rolls. */
export function promisedFillMs(windowMs: number): number {
  return windowMs / 20 + Math.min(bounds.granularityMs, windowMs / 4);
}

/** When all that was taken has to be back, even by a clock that counts in whole seconds, ms after it was. */
export function backAfterMs(windowMs: number): number {
  return windowMs * (1 + bounds.clockRate) + bounds.clockResolutionMs + bounds.granularityMs + spareMs;
}

const spareMs = 100;

/**
 * The second one more than a second later: a window that is held so much longer is told from one that is not over. A short one
 * is over by then, so it is asked within it; a bucket shows how much has come back.
 */
export function confirmAtMs({
  promise,
  windowMs,
}: Pick<Kind, 'promise' | 'windowMs'>): readonly [number, number] {
  const lateMs = bounds.granularityMs + 150;
  return [130, promise === 'token-bucket' ? lateMs : Math.min(lateMs, windowMs / 4)];
}

/**
 * Between a request that was admitted and the burst after it, ms. Of two places, the second is taken well after the first, once: whether they
 * come back together is what tells a window that begins anew from one that rolls.
 */
export function pauseMs(target: Apart, cycle: number): number {
  const { windowMs } = target;
  return isTakenApart(target) && cycle === 0 ? windowMs / 3 : Math.max(20, windowMs * apartShare);
}

/** Whether the places of a limit are taken well after each other, once. */
export function isTakenApart({ promise, limit, part }: Omit<Apart, 'windowMs'>): boolean {
  return limit === 2 && part === undefined && promise !== 'token-bucket';
}

type Apart = Pick<Target, 'promise' | 'windowMs' | 'limit' | 'part'>;

/** More than twice what clocks within the stated bounds run apart in as long as a probe takes. */
const apartShare = 6 * bounds.clockRate;

/** Requests of that kind at most, and how much of a window they take. */
export const dropRetriesMax = 6;
export const dropRetriesShare = 0.35;

/** How long they take about, ms: each wait is as long as a place takes to come back, in whole seconds. */
function dropRetriesMs(windowMs: number, limit: number): number {
  const eachMs = windowMs / limit + Math.min(bounds.granularityMs, windowMs / limit);
  return Math.min(dropRetriesShare * windowMs, (dropRetriesMax / 2) * eachMs);
}

/** How long the probe of such a limit takes at most, ms: where it is kept, or where it is seen to come back so many times more. */
export function promisedMs(kind: Kind, more = 0): number {
  const { windowMs } = kind;
  // Who is seen sooner than that has another round, with one cycle more before it is long enough.
  const cycles = cyclesOf(kind) + (kind.isDoubtful ? 1 : 0) + more;
  const eachMs = backAfterMs(windowMs) + pauseMs(kind, 1);
  const retriesMs = kind.promise === 'token-bucket' ? dropRetriesMs(windowMs, kind.limit) : 0;
  const confirmMs = (cycles + 1) * confirmAtMs(kind)[1];
  const firstMs = pauseMs(kind, 0) - pauseMs(kind, 1);
  return promisedFillMs(windowMs) + firstMs + cycles * eachMs + confirmMs + retriesMs + aloneMoreMs(kind);
}

/** The first request of a probe, and when the first third of the limit had been answered. */
export type Filling = { readonly anchor: Exchange; readonly filledMs: number };

/**
 * When a key that is left alone is asked: once all has to be back, whatever a counter of two windows weighs of the one before; and,
 * where windows may lie anywhere, neither at a phase of them at which the limit was filled, since one boundary would explain too much at both,
 * nor near a whole second of the clock, after which a run begins and at which windows of the clock do.
 */
export function aloneMs(
  target: Target,
  { anchor, filledMs, backMs }: Filling & { readonly backMs: number },
): number {
  if (!mayLieAnywhere(target)) return backMs;
  const { windowMs } = target;
  const restedMs = backMs + restMs(target);
  const isFilled = (ms: number): boolean =>
    (ms - filledMs + aroundMs(windowMs)) % windowMs < filledPhaseMs(windowMs);
  const isTurning = (ms: number): boolean => {
    const sinceMs = (ms - anchor.sentMs) % secondMs;
    return sinceMs < turningMs || sinceMs > secondMs - 2 * turningMs;
  };
  let dueMs = restedMs;
  while ((isFilled(dueMs) || isTurning(dueMs)) && dueMs < restedMs + apartMoreMs(target)) dueMs += stepMs;
  return dueMs;
}

/** Apart from a whole second of the clock, ms; twice as much before it, since a burst takes time. */
const turningMs = 150;
const secondMs = 1_000;
const stepMs = 20;

/** What that takes at most beyond all that has to be back, ms. */
function aloneMoreMs(kind: Kind): number {
  return hasAlone(kind) && mayLieAnywhere(kind) ? restMs(kind) + apartMoreMs(kind) : 0;
}

function apartMoreMs({ windowMs }: Pick<Kind, 'windowMs'>): number {
  return filledPhaseMs(windowMs) + secondMs;
}

/** Whether a limit may be kept by windows that begin anew, at moments that nobody knows. */
export function mayLieAnywhere({ promise }: Pick<Kind, 'promise'>): boolean {
  return promise === 'fixed' || promise === 'unsaid';
}

function restMs({ promise, windowMs }: Kind): number {
  return promise === 'unsaid' ? windowMs : 0;
}

/** How much of each window the fill and what surrounds it take. */
function filledPhaseMs(windowMs: number): number {
  return promisedFillMs(windowMs) + 2 * aroundMs(windowMs);
}

function aroundMs(windowMs: number): number {
  return windowMs / 20;
}

/** Before this share of a window a wait that a 429 announces is over long before any window is. */
export const soonShare = 0.4;

/** When capacity is asked for around the first boundary after a moment, of windows that begin by the clock; else never. */
export function boundaryAsks({ aligned, windowMs, announcing }: Target, fromMs: number): readonly number[] {
  if (aligned !== 'clock') return [];
  return boundaryAsksMs(fromMs, { windowMs, skewMs: 1_000 * announcing.clockSkewSecondsMax });
}
