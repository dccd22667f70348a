import type { ProbeRequest, Step } from '../steps.ts';

/** An unknown limiter, and what the user says about it. */
export type Unknown = {
  readonly request: ProbeRequest;
  readonly limit: number | null;
  readonly windowMs: number | null;
  /** What the refusals so far announce, where the user says nothing: a guess at when to ask, and no evidence. */
  readonly announcedMs?: number;
  /**
   * How many whole windows are watched. `auto` watches a second one where several explanations remain after the first.
   */
  readonly windows: 1 | 2 | 'auto';
  /** The longest wait for one window. */
  readonly windowMsMax: number;
  /** After this many requests without a refusal, there is no limiter. */
  readonly unlimitedAfter: number;
  /** The most requests of all, however long each of them waits for its answer; absent: `requestsMaxUsual`. */
  readonly requestsMax?: number;
  /** No request is sent this long after the first one, ms; absent: as long as the longest waits take. */
  readonly spanMsMax?: number;
};

/** Most requests of an identification whose caller sets no bound: several times the largest limits that documents state. */
export const requestsMaxUsual = 6_000;

/** The most windows that a run watches, each as long as the longest wait, and what is sent between them, ms. */
const waits = { count: 3.4, besideMs: 60_000 } as const;

/** How much longer than a window that is believed in is waited for it. */
export const waitShare = 1.2;

/** The most requests that an identification sends, whatever is answered. */
export function requestsMaxOf({ requestsMax }: Unknown): number {
  return requestsMax ?? requestsMaxUsual;
}

/** How long after its first request an identification sends its last one at most, ms. */
export function spanMsMaxOf({ spanMsMax, windowMsMax }: Unknown): number {
  return spanMsMax ?? spanMsMaxUsual(windowMsMax);
}

/** The same where the caller sets no bound, ms: as many of the longest waits as there are windows to watch. */
export function spanMsMaxUsual(windowMsMax: number): number {
  return waits.count * windowMsMax + waits.besideMs;
}

/** The window that is expected where nobody says anything: most limiters have it. */
const usualWindowMs = 60_000;

/** The window that a run is made for: as the user says, or what is announced, where that is longer than usual and waited for. */
export function expectedWindowMs(target: Unknown): number {
  const { windowMs, announcedMs = 0 } = target;
  return windowMs ?? (isBeyondLongest(target) ? usualWindowMs : Math.max(usualWindowMs, announcedMs));
}

/** Whether capacity is announced for later than is waited for it. */
export function isBeyondLongest({
  announcedMs = 0,
  windowMsMax,
}: Pick<Unknown, 'announcedMs' | 'windowMsMax'>): boolean {
  return announcedMs > windowMsMax;
}

/** The same request, as often as asked for, at the same time. */
export function send({ request }: Unknown, purpose: string, count: number): Step {
  return { kind: 'send', purpose, requests: Array.from({ length: count }, () => request) };
}

/** Fraction of a second at which a run begins: whole seconds later are then never a boundary of the wall clock. */
const anchorShare = 0.45;
const anchorShareMax = 0.6;

/** Windows from this length on are begun across two sub-windows: shorter ones are seldom kept in any. */
const dividedMsMin = 30_000;

/**
 * Sub-windows of a window, as far as they are usual: of whole tens of seconds, or as many as 15 s in 45 s. How close their boundary
 * may be to what is sent around it, ms.
 */
const subWindows = { ofTens: 6, ofOthers: 3 } as const;
const subWindowMarginMs = 600;

/** How long after the first request the first burst is sent, ms. */
export function untilBurstMs(windowMs: number): number {
  return Math.min(3_000, windowMs / 20);
}

/** Most seconds that are looked at for a moment to begin: the one that keeps to most rules is not far. */
const secondsAhead = 30;

/**
 * The first moment from `nowMs` on at which a run can begin, ms since the Unix epoch: no boundary of the wall clock
 * then falls between the first request and the end of the first burst, but one of a sub-window does: the place of the first
 * request then comes back by itself, as long before the others as a sub-window lasts.
 */
export function calmFromMs(nowMs: number, windowMs: number): number {
  const share = (nowMs % 1_000) / 1_000;
  const waits = share >= anchorShare && share <= anchorShareMax ? 0 : (anchorShare - share + 1) % 1;
  const calmMs = calmOf(nowMs + waits * 1_000, windowMs);
  if (windowMs < dividedMsMin) return calmMs;
  const moments = Array.from({ length: secondsAhead }, (_, at) => calmMs + at * 1_000);
  return moments.find((ms) => calmOf(ms, windowMs) === ms && isAcross(ms, windowMs)) ?? calmMs;
}

function calmOf(fromMs: number, windowMs: number): number {
  const [before, after] = [Math.min(1_500, windowMs / 40), Math.min(6_000, windowMs / 8)];
  const sinceMs = fromMs % windowMs;
  if (sinceMs < before) return fromMs + 1_000 * Math.ceil((before - sinceMs) / 1_000);
  return windowMs - sinceMs < after
    ? fromMs + 1_000 * Math.ceil((windowMs - sinceMs + before) / 1_000)
    : fromMs;
}

/** Whether a boundary of a sub-window falls between a first request at this moment and the burst that follows. */
function isAcross(ms: number, windowMs: number): boolean {
  const subWindowMs = windowMs / subWindows[windowMs % 10_000 === 0 ? 'ofTens' : 'ofOthers'];
  const untilMs = subWindowMs - (ms % subWindowMs);
  return untilMs >= subWindowMarginMs && untilMs <= untilBurstMs(windowMs) - subWindowMarginMs;
}
