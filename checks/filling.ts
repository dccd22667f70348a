import { excess, nextOfBurst } from './burst.ts';
import { scaled } from './moments.ts';
import { madeForMs, type Pace, paceOf, takeLastOfFill, takenAfterFill, usualPace } from './pace.ts';
import { takeSingle } from './single-places.ts';
import { type History, lastEndedMs, requests, type Step, send, type Target } from './steps.ts';
import { drawn, shuffled } from './variation.ts';

/** The partial fill: at once, but for its last places; `null` where all of it is taken. */
export function fill(target: Target, seen: History, nowMs: number): Step | null {
  const { anchor, own, by } = seen;
  if (by('single').length > 0 || by('saturate').length > 0) return null;
  const { limit, vary, windowMs } = target;
  const share = drawn(vary, { usual: 0, ...fillShares }, 'fill');
  const size = vary === null ? fillSize(limit) : Math.round(limit * share);
  const left = size - own.filter(({ outcome }) => outcome === 'admitted').length;
  if (left <= 0) return null;
  if (by('fill').length > 0) return takeLastOfFill(target, seen, nowMs);
  const count = left - takenAfterFill(target, left);
  const dueMs = vary === null ? nowMs : anchor.sentMs + (vary('fill-at') * windowMs) / 100;
  if (nowMs < dueMs) return { kind: 'wait', why: 'before the fill', untilMs: dueMs };
  const below = target.hasSubpath ? Math.min(2, count) : 0;
  const otherwise = target.hasOtherMethod ? Math.min(2, count - below) : 0;
  const all = [
    ...requests(target, count - below - otherwise),
    ...requests(target, below, 'subpath'),
    // A limit for each method admits so many more at the saturation, which has one method alone.
    ...requests(target, otherwise, 'other-method'),
  ];
  return send('fill', shuffled(vary, all, 'fill-order'));
}

/** Requests of the partial fill, the anchor among them. */
export function fillSize(limit: number): number {
  return Math.max(2, Math.round(limit / 6));
}

/** Share of the limit that is filled first in a run that does not announce itself; never that of one that does. */
const fillShares = { least: 0.19, most: 0.4 } as const;

/** The most requests of a partial fill. */
export function fillSizeMax(limit: number): number {
  return Math.ceil(limit * fillShares.most);
}

/** The next place that is taken by itself, or what is waited for before it; `null` once the saturation has begun, or is due. */
export function single(target: Target, seen: History, nowMs: number): Step | null {
  const { anchor, by } = seen;
  if (by('saturate').length > 0) return null;
  const fromMs = Math.max(anchor.sentMs, lastEndedMs(by('fill')));
  return takeSingle(target, seen, { fromMs, untilMs: saturationMs(target, seen) }, nowMs);
}

/** All that is left of the limit, and a few more until one is refused; `null` where one was, or so many passed that there is no limit. */
export function saturate(target: Target, seen: History, nowMs: number): Step | null {
  if (seen.wasLimited('saturate')) return null;
  const { own, by } = seen;
  const sent = by('saturate');
  const startMs = saturationMs(target, seen);
  if (sent.length === 0 && nowMs < startMs)
    return { kind: 'wait', why: 'between fill and saturation', untilMs: startMs };
  const before = own.filter(
    ({ purpose, outcome }) => purpose !== 'saturate' && outcome === 'admitted',
  ).length;
  const burst = nextOfBurst(target, { purpose: 'saturate', size: target.limit - before, sent }, nowMs);
  if (burst !== null) return burst;
  const isFull = sent.some(({ outcome }) => outcome !== 'admitted');
  if (isFull || own.length >= saturationMax(target.limit)) return null;
  return send('saturate', requests(target, Math.max(excess, Math.ceil(target.limit / 20))));
}

/** Requests after which a scope without any 429 counts as unlimited. */
export function saturationMax(limit: number): number {
  return Math.ceil(limit * 1.25) + 4 * excess;
}

/** When the saturation begins, ms: in a run that announces itself at a fixed time after the anchor. */
function saturationMs(target: Target, seen: History): number {
  const { vary, windowMs } = target;
  const { anchor, by } = seen;
  if (vary === null) return anchor.sentMs + saturationAfterMs(paceOf(target, seen), windowMs);
  const fromMs = Math.max(anchor.sentMs, lastEndedMs(by('fill')));
  return fromMs + drawn(vary, { usual: 0, least: windowMs / 25, most: windowMs / 12 }, 'saturate-at');
}

/** Between fill and saturation, at most: 3 s of a minute’s window. Of a short one a larger share, since answers take as long as ever. */
export function fillToSaturationMs(windowMs: number): number {
  return saturationAfterMs(usualPace, windowMs);
}

function saturationAfterMs(pace: Pace, windowMs: number): number {
  return Math.max((pace.saturationMs * windowMs) / madeForMs, Math.min(windowMs / 6, 500));
}

/** Which of the confirming requests goes to a sub-path, if there is one. */
const subpathConfirmation = 1;

/** The next confirming request; `null` where all were sent. */
export function confirm(target: Target, seen: History, nowMs: number): Step | null {
  const { by } = seen;
  const sent = by('confirm');
  const usual = paceOf(target, seen).confirmAtMs[sent.length];
  if (usual === undefined) return null;
  const range = { usual, least: usual - 60, most: usual + 60 };
  const fullMs = lastEndedMs(by('saturate'));
  const dueMs = fullMs + scaled(drawn(target.vary, range, 'confirm', sent.length), target.windowMs);
  if (nowMs < dueMs) return { kind: 'wait', why: 'confirming that the window is full', untilMs: dueMs };
  const below = sent.length === subpathConfirmation && target.hasSubpath;
  return send('confirm', requests(target, 1, below ? 'subpath' : 'main'));
}
