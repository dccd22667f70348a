import { bounds } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import { fillToSaturationMs } from './filling.ts';
import { beforeLadderMs, scaled } from './moments.ts';
import { drawn, type Vary } from './variation.ts';

/**
 * Offsets before the anchor can leave the window, ms; and growing offsets after that. The length of the window lies
 * between two rungs.
 */
const rungsBeforeMs = [beforeLadderMs, -900, -350, -120, -40, -15] as const;
/** The last of the rungs that lie close to the end of the window, ms after it. */
export const lastDenseRungMs = 2_800;
const rungsAfterMs = [15, 40, 75, 120, 200, 350, 600, 1_030, 1_500, 2_100, lastDenseRungMs] as const;

/** After the last of those, the ladder goes on at this interval, ms; in windows beyond a minute at a longer one. */
const lateStepMs = 700;

/** The most rungs after those. */
const lateRungsMax = 39;

/**
 * Below these limits in a minute, rungs at that interval would keep the window of a service full that counts what it rejects; a run that does
 * not announce itself has more rejected before.
 */
const smallBelow = { usual: 30, varied: 40 } as const;

/** So many rungs are close to each other in a window of a minute, and at most. */
const closeUsual = 1;
const closeRungsMax = lateRungsMax / 2;

/** In a shorter window the rungs themselves take longer than what is left of a second one, ms. */
const sparseWindowMsMin = 10_000;

/**
 * Offsets after the moment when the anchor should have left for a window more, ms: just after one of twice the length is over, and
 * between the moments when the rungs after the first window leave the second one, where those count.
 */
const secondRungsMs = [300, 1_250, 1_800, 2_450, 3_100, lastDenseRungMs + 1_200] as const;

/** The most rungs of a ladder. */
export const rungsMax = rungsBeforeMs.length + rungsAfterMs.length + lateRungsMax;

/** What the moments of a ladder depend on. */
type Climbed = {
  readonly limit: number;
  readonly windowMs: number;
  readonly vary: Vary | null;
  /** How many requests go besides, when announced waits are over. */
  readonly retries: number;
};

/** Whether the rungs after the window would keep it full of a service that counts what it rejects. */
export function isSmall({ limit, windowMs, vary }: Pick<Climbed, 'limit' | 'windowMs' | 'vary'>): boolean {
  const close = Math.floor(closeMs(windowMs) / lateStepMs);
  const more = Math.max(0, Math.min(close, closeRungsMax) - closeUsual);
  return windowMs >= sparseWindowMsMin && limit < smallBelow[vary === null ? 'usual' : 'varied'] + more;
}

/** The moments of the ladder, ascending, ms: up to half a window after the anchor should have left, or into a second window. */
export function ladderMs(anchor: Exchange, climbed: Climbed): readonly number[] {
  const { limit, windowMs, vary } = climbed;
  const expiryMs = anchor.sentMs + windowMs;
  const answeredMs = (anchor.receivedMs ?? anchor.sentMs) + windowMs;
  const isSparse = isSmall({ limit, windowMs, vary });
  const rungs = [
    ...rungsBeforeMs.map((offset) => expiryMs + scaled(rungMs(offset, vary), windowMs)),
    ...rungsAfterMs.map((offset) => answeredMs + rungMs(offset, vary)),
    ...(isSparse ? sparseMs(answeredMs, climbed) : lateMs(answeredMs + lastDenseRungMs, windowMs)),
  ].sort((left, right) => left - right);
  return isSparse ? rungs : rungs.filter((ms) => ms <= expiryMs + windowMs / 2);
}

/**
 * Moments after the last rung: close to each other until all would have left, when a service that counts what it rejects has
 * places again; then on to half a window after the anchor should have left.
 */
function lateMs(lastMs: number, windowMs: number): readonly number[] {
  const spanMs = Math.max(0, windowMs / 2 - lastDenseRungMs);
  const close = stepsOf(closeMs(windowMs), closeRungsMax);
  const far = stepsOf(spanMs - (close.at(-1) ?? 0), lateRungsMax - close.length);
  const fromMs = close.at(-1) ?? 0;
  return [...close, ...far.map((ms) => fromMs + ms)].map((ms) => lastMs + ms);
}

/** For how long rungs are close to each other, ms: until what filled the window has left it. */
function closeMs(windowMs: number): number {
  const spanMs = Math.max(0, windowMs / 2 - lastDenseRungMs);
  return Math.min(spanMs, Math.max(0, fillToSaturationMs(windowMs) + bounds.granularityMs - lastDenseRungMs));
}

/** Moments within a span, ms after its begin, at the interval of late rungs, or a longer one where they would be too many. */
function stepsOf(spanMs: number, most: number): readonly number[] {
  const stepMs = Math.max(lateStepMs, spanMs / most);
  return Array.from({ length: Math.floor(spanMs / stepMs) }, (_, at) => (at + 1) * stepMs);
}

/**
 * Where a service counts what it rejects, the rungs so far keep a small limit full for a window. So fewer follow than the limit:
 * what is admitted before a second window is over comes from a window that is too long, and after it a service that counts
 * rejections has places again, one after another as the rungs leave its window.
 * @param answeredMs when the anchor should have left.
 */
function sparseMs(answeredMs: number, { limit, windowMs, retries }: Climbed): readonly number[] {
  const count = Math.max(0, limit - secondRungsMs.length - retries);
  const fromMs = answeredMs + lastDenseRungMs;
  const stepMs = (answeredMs + windowMs + beforeLadderMs - fromMs) / (count + 1);
  const last = secondRungsMs.length - 1;
  return [
    ...Array.from({ length: count }, (_, at) => fromMs + (at + 1) * stepMs),
    ...secondRungsMs
      .filter((_, at) => at === 0 || at === last || at > last + 1 - limit)
      .map((offset) => answeredMs + windowMs + offset),
  ];
}

/** A rung moves outwards by a little: further inwards, and a window a bit too long would fall between two of them. */
function rungMs(offsetMs: number, vary: Vary | null): number {
  return offsetMs * drawn(vary, { usual: 1, least: 1, most: 1.05 }, 'rung', Math.abs(offsetMs));
}
