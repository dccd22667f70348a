import { bounds, settledAfterMs, windowMsAtLeast, windowMsAtMost } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import { headerInteger } from '../contract/rate-limit-headers.ts';
import { excess, excesses, lateVisit, nextOfBurst } from './burst.ts';
import { ladderMs } from './ladder.ts';
import { quietMs, scaled } from './moments.ts';
import { nextPromisedStep } from './promised-schedule.ts';
import { lastRetry, retriesOf } from './retries.ts';
import { nextOfSeveral } from './several-schedule.ts';
import { areRejectionsFree, askForSingle, lateMaxMs, takeSingle } from './single-places.ts';
import { sortedOf } from './sorted-history.ts';
import {
  endedMs,
  type History,
  isOfOneCost,
  lastEndedMs,
  type ProbeRequest,
  requests,
  type Step,
  send,
  type Target,
} from './steps.ts';
import { drawn, drawnInteger, shuffled } from './variation.ts';

/**
 * The probe of one scope as a pure function of the answers so far: the same code runs over sockets and in virtual time.
 * The first exchange, sent by the preflight, is the anchor: it is the first request to leave the window.
 *
 * The order: a partial fill at once; some places one by one; saturation a little later, so that all these leave the
 * window separately; confirming 429s at different fractions of a second; single requests through the quiet part of the
 * window; a ladder of single requests around the expiry of the anchor; a burst into the gap before the saturation
 * expires, where only the fill may have come back; where the anchor left late, single requests around the expiry of each
 * place taken alone; and a burst once everything has left. A run that does not announce itself draws gaps, sizes and order,
 * and comes back once more at a late moment.
 */
export function nextStep(target: Target, soFar: readonly Exchange[], nowMs: number): Step {
  if (target.parts !== undefined) return nextOfSeveral(target, soFar, nowMs);
  const isRolling = target.promise === 'rolling' && target.isShared !== true && isOfOneCost(target);
  if (!isRolling) return nextPromisedStep(target, soFar, nowMs);
  const seen = historyOf(target, soFar);
  return (
    fill(target, seen, nowMs) ??
    single(target, seen, nowMs) ??
    saturate(target, seen, nowMs) ??
    confirm(target, seen, nowMs) ??
    askOtherKey(target, soFar, 'other-key') ??
    quiet(target, seen, nowMs) ??
    gap(target, seen, nowMs) ??
    followUp(target, seen, nowMs) ??
    singleReturn(target, seen, nowMs) ??
    reburst(target, seen, nowMs) ??
    askOtherKey(target, soFar, 'other-key-late') ??
    askLate(target, seen, nowMs) ??
    lateVisit(target, seen, nowMs) ?? { kind: 'done' }
  );
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

/** Requests after which a scope without any 429 counts as unlimited. */
export function saturationMax(limit: number): number {
  return Math.ceil(limit * 1.25) + 4 * excess;
}

/** Between fill and saturation: 3 s of a minute’s window. Of a short one a larger share, since answers take as long as ever. */
export function fillToSaturationMs(windowMs: number): number {
  return Math.max(windowMs / 20, Math.min(windowMs / 6, 500));
}

function historyOf(target: Target, soFar: readonly Exchange[]): History {
  const { anchor, own, by, limited } = sortedOf(target, soFar);
  return { anchor, own, by, wasLimited: (purpose) => limited.has(purpose) };
}

function fill(target: Target, { anchor, own, by }: History, nowMs: number): Step | null {
  if (by('fill').length > 0) return null;
  const { limit, vary, windowMs } = target;
  const share = drawn(vary, { usual: 0, ...fillShares }, 'fill');
  const size = vary === null ? fillSize(limit) : Math.round(limit * share);
  const count = size - own.filter(({ outcome }) => outcome === 'admitted').length;
  if (count <= 0) return null;
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

function single(target: Target, seen: History, nowMs: number): Step | null {
  const { anchor, by } = seen;
  if (by('saturate').length > 0) return null;
  const fromMs = Math.max(anchor.sentMs, lastEndedMs(by('fill')));
  return takeSingle(target, seen, { fromMs, untilMs: saturationMs(target, anchor, by('fill')) }, nowMs);
}

function saturate(target: Target, seen: History, nowMs: number): Step | null {
  if (seen.wasLimited('saturate')) return null;
  const { anchor, own, by } = seen;
  const sent = by('saturate');
  const startMs = saturationMs(target, anchor, by('fill'));
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

/** When the saturation begins, ms: in a run that announces itself at a fixed time after the anchor. */
function saturationMs({ vary, windowMs }: Target, anchor: Exchange, filled: readonly Exchange[]): number {
  if (vary === null) return anchor.sentMs + fillToSaturationMs(windowMs);
  const fromMs = Math.max(anchor.sentMs, lastEndedMs(filled));
  return fromMs + drawn(vary, { usual: 0, least: windowMs / 25, most: windowMs / 12 }, 'saturate-at');
}

/** Fractions of a second, ms, so that announced waits of whole seconds end at different ones. */
const confirmAtMs = [130, 300, 550, 810] as const;

/** Which of the confirming requests goes to a sub-path, if there is one. */
const subpathConfirmation = 1;

function confirm(target: Target, { by }: History, nowMs: number): Step | null {
  const sent = by('confirm');
  const usual = confirmAtMs[sent.length];
  if (usual === undefined) return null;
  const range = { usual, least: usual - 60, most: usual + 60 };
  const fullMs = lastEndedMs(by('saturate'));
  const dueMs = fullMs + scaled(drawn(target.vary, range, 'confirm', sent.length), target.windowMs);
  if (nowMs < dueMs) return { kind: 'wait', why: 'confirming that the window is full', untilMs: dueMs };
  const below = sent.length === subpathConfirmation && target.hasSubpath;
  return send('confirm', requests(target, 1, below ? 'subpath' : 'main'));
}

/**
 * Single requests until something is admitted again: in the quiet part, around the expiry, and after announced waits.
 */
function quiet(target: Target, seen: History, nowMs: number): Step | null {
  const { anchor, by } = seen;
  if (by('gap').length > 0 || by('reburst').length > 0) return null;
  const firstReturn = returned(seen)[0];
  const retry = retriesOf(seen, target).find(({ sent }) => !sent);
  if (firstReturn !== undefined) {
    if (retry === undefined || isEarly(target, seen, firstReturn)) return null;
    return atMoment({
      dueMs: retry.dueMs,
      purpose: retry.purpose,
      why: 'waiting as announced',
      target,
      nowMs,
    });
  }
  const startedMs = lastEndedMs(by('confirm'));
  const lastMs = Math.max(startedMs, lastSentMs(by('quiet')), lastSentMs(by('ladder')));
  const moments = singleMoments(target, seen);
  const untilMs = Math.max(anchor.sentMs + target.windowMs * 1.5, moments.ladderMs.at(-1) ?? 0);
  const coarse = moments.quietMs.find((ms) => ms > lastMs);
  const rung = moments.ladderMs.find((ms) => ms > lastMs);
  const candidates = [
    { dueMs: coarse, purpose: 'quiet', why: 'quiet part of the window' },
    { dueMs: rung, purpose: 'ladder', why: 'until the first request leaves the window' },
    { dueMs: retry?.dueMs, purpose: retry?.purpose ?? '', why: 'waiting as announced' },
  ].filter((candidate) => candidate.dueMs !== undefined);
  const next = candidates.reduce<(typeof candidates)[number] | null>(
    (best, candidate) => (best === null || (candidate.dueMs ?? 0) < (best.dueMs ?? 0) ? candidate : best),
    null,
  );
  if (next?.dueMs === undefined || next.dueMs > untilMs) return null;
  return atMoment({ dueMs: next.dueMs, purpose: next.purpose, why: next.why, target, nowMs });
}

function lastSentMs(exchanges: readonly Exchange[]): number {
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const { sentMs } of exchanges) lastMs = Math.max(lastMs, sentMs);
  return lastMs;
}

type SingleMoments = {
  readonly target: Target;
  readonly quietMs: readonly number[];
  readonly ladderMs: readonly number[];
};

/** By anchor: each step of a run asks for the same ones. */
const momentsSince = new WeakMap<Exchange, SingleMoments>();

function singleMoments(target: Target, seen: History): SingleMoments {
  const { anchor } = seen;
  const known = momentsSince.get(anchor);
  if (known?.target === target) return known;
  const { limit, windowMs, vary } = target;
  const moments: SingleMoments = {
    target,
    quietMs: quietMs(anchor, windowMs, vary),
    ladderMs: ladderMs(anchor, {
      ...{ limit, windowMs, vary, retries: retriesOf(seen, target).length },
      fullMs: fillToSaturationMs(windowMs),
    }),
  };
  momentsSince.set(anchor, moments);
  return moments;
}

/** Whether a place came back too early, even by the fastest clock within the stated bounds. */
function isEarly(target: Target, { anchor }: History, first: Exchange): boolean {
  return endedMs(first) < anchor.sentMs + windowMsAtLeast(target.windowMs);
}

function filledOf({ own }: History): readonly Exchange[] {
  return own.filter(
    ({ purpose, outcome }) => (purpose === 'preflight' || purpose === 'fill') && outcome === 'admitted',
  );
}

/** Where all of so many requests are admitted, the window is not asked to its edge any more. */
const edgesMax = 5 * excess;

/**
 * Between the expiry of the fill and that of the saturation, exactly the fill may have come back. All places but the
 * last are taken first. The last admission then comes after answered requests alone, so it shows whether rejected
 * requests count. Where answers take long, places that were taken one by one come back meanwhile too, and the edge is asked
 * for again: only its 429 shows that not all places came back at once.
 */
function gap(target: Target, seen: History, nowMs: number): Step | null {
  const { by } = seen;
  const edges = by('gap-edge');
  if (by('reburst').length > 0 || returned(seen).length === 0) return null;
  if (edges.length >= edgesMax) return null;
  if (edges.some(({ outcome }) => outcome !== 'admitted')) return null;
  const closesMs = (by('saturate')[0]?.sentMs ?? 0) + target.windowMs - 50;
  if (nowMs >= closesMs) return null;
  const opensMs = gapOpensMs(target, seen);
  if (by('gap').length === 0 && nowMs < opensMs && opensMs < closesMs)
    return { kind: 'wait', why: 'until the fill has left the window', untilMs: opensMs };
  if (by('gap').length > 0)
    return send(
      'gap-edge',
      requests(target, edges.length > 0 ? excess : drawnInteger(target.vary, excesses, 'gap-edge')),
    );
  const left = filledOf(seen).length - returned(seen).length - 1;
  return send('gap', requests(target, Math.max(1, left)));
}

/**
 * When the fill has certainly left: where answers take long, that is well after the anchor has. What came back early came
 * back some other way.
 */
function gapOpensMs(target: Target, seen: History): number {
  const [first] = returned(seen);
  if (first === undefined || isEarly(target, seen, first)) return 0;
  return Math.max(0, lastEndedMs(seen.by('fill'))) + windowMsAtMost(target.windowMs);
}

/**
 * One more request when an announced wait is over, where none so far has shown one to suffice: in a slow network the
 * ladder takes the anchor's place, and nothing else comes back before the first waits are over.
 */
function followUp(target: Target, seen: History, nowMs: number): Step | null {
  const { by, own } = seen;
  if (by('reburst').length > 0 || returned(seen).length === 0) return null;
  // What was taken after an early return has to be asked for before a window of the documented length would give it back.
  if (emptyIfShorterMs(target, seen) !== null) return null;
  const retry = lastRetry(own, by, target);
  if (retry === null || retry.dueMs > reburstMs(target, seen)) return null;
  return atMoment({ ...retry, why: 'waiting as announced', target, nowMs });
}

/** Only once the window was filled to the last place again, so that each place that comes back is one of them. */
function singleReturn(target: Target, seen: History, nowMs: number): Step | null {
  if (seen.by('reburst').length > 0 || !seen.wasLimited('gap-edge')) return null;
  return askForSingle(target, seen, reburstMs(target, seen), nowMs);
}

/**
 * A full burst once the last request of the saturation has left: as soon as the service counts nothing but what is ours
 * again, otherwise one second later, for limiters that count in whole seconds. Where an early burst met a refusal, what
 * follows it waits for that second: a count that is stated may be wrong.
 */
function reburst(target: Target, seen: History, nowMs: number): Step | null {
  const { own, by } = seen;
  if (by('reburst-edge').length > 0) return null;
  const dueMs = reburstMs(target, seen);
  const untilDue: Step = { kind: 'wait', why: 'until everything has left the window', untilMs: dueMs };
  const sent = by('reburst');
  if (sent.length > 0) {
    if (nowMs < dueMs && sent.some(({ outcome }) => outcome !== 'admitted')) return untilDue;
    return send('reburst-edge', requests(target, drawnInteger(target.vary, excesses, 'reburst-edge')));
  }
  const emptyMs = emptyIfShorterMs(target, seen);
  const early = emptyMs === null ? askEarly(target, seen, nowMs) : null;
  if (early !== null) return early;
  if (!isCountOurs(target, seen)) {
    if (nowMs < dueMs) return untilDue;
    const recounted = emptyMs === null ? recount(target, seen, nowMs) : null;
    if (recounted !== null) return recounted;
  }
  const fromMs = emptyMs ?? nowMs - windowMsAtMost(target.windowMs);
  const inWindow = own.filter(({ outcome, sentMs }) => outcome === 'admitted' && sentMs >= fromMs).length;
  return send('reburst', requests(target, Math.max(1, target.limit - inWindow - 1)));
}

/**
 * One request as soon as everything has left: its count says whether a limiter of whole seconds has to be waited for. Not
 * before refusals can be judged, which in short windows is later.
 */
function askEarly(target: Target, seen: History, nowMs: number): Step | null {
  const { vary, windowMs } = target;
  if (vary !== null || isOfASecond(target) || seen.by('all-back').length > 0) return null;
  const emptyMs = reburstMs(target, seen) - settledAfterMs(windowMs) + windowMsAtMost(windowMs);
  const dueMs = Math.max(emptyMs, endedMs(seen.anchor) + settledAfterMs(windowMs));
  if (nowMs < dueMs) return { kind: 'wait', why: 'until everything has left the window', untilMs: dueMs };
  return send('all-back', requests(target, 1));
}

/** Whether the service states that it counts no more than what certainly is in the window. */
function isCountOurs({ limit, windowMs }: Target, { own, by }: History): boolean {
  const [asked] = by('all-back');
  if (asked?.outcome !== 'admitted') return false;
  const remaining = headerInteger(asked, 'remaining');
  const fromMs = endedMs(asked) - windowMsAtLeast(windowMs);
  const ours = own.filter(
    ({ outcome, sentMs }) => outcome === 'admitted' && sentMs > fromMs && sentMs <= asked.sentMs,
  );
  return remaining !== null && limit - remaining <= ours.length;
}

/** For how long the count is watched where it is more than what is ours, as a share of the window. */
export const watchShare = 1 / 6;

/**
 * One request before the burst says how much is counted. Where that is more than can be ours, either the service counts
 * wrongly or somebody else uses the key: then it is asked again after a silence, in which only the latter makes it more.
 */
function recount(target: Target, seen: History, nowMs: number): Step | null {
  const [first, second] = seen.by('recount');
  if (first === undefined) return send('recount', requests(target, 1));
  const { limit, windowMs } = target;
  const remaining = first.outcome === 'admitted' ? headerInteger(first, 'remaining') : null;
  if (second !== undefined || remaining === null) return null;
  const isFree = areRejectionsFree(target, seen);
  const ours = seen.own.filter(
    (one) =>
      !(isFree && one.outcome === 'limited') && endedMs(one) >= first.sentMs - settledAfterMs(windowMs),
  );
  if (limit - remaining <= ours.length) return null;
  const dueMs = endedMs(first) + windowMs * watchShare;
  return atMoment({ dueMs, purpose: 'recount', why: 'watching for use of the key by others', target, nowMs });
}

/**
 * What has to leave before a full burst. What came back with the fill is still in the window then, and known to be; but in one of
 * a second it has left, or has not where whole seconds count.
 */
function leavingLast(target: Target, { own, by }: History): readonly Exchange[] {
  return isOfASecond(target) ? own.filter(({ purpose }) => !lastPurposes.has(purpose)) : by('saturate');
}

const lastPurposes: ReadonlySet<string> = new Set(['recount', 'reburst', 'reburst-edge']);

/** Whether a second, which a place may be held longer, is more of a window than lies between its fill and its saturation. */
function isOfASecond({ windowMs }: Pick<Target, 'windowMs'>): boolean {
  return windowMs - fillToSaturationMs(windowMs) < bounds.granularityMs;
}

/** How long the probe of a rolling window takes where it is kept, ms. */
export function rollingMs(windowMs: number): number {
  const filledMs = fillToSaturationMs(windowMs) + settledAfterMs(windowMs);
  // What came back with the fill, and a request after an announced wait, have to leave too.
  return isOfASecond({ windowMs }) ? filledMs + windowMs + bounds.granularityMs : filledMs;
}

function reburstMs(target: Target, seen: History): number {
  const { anchor } = seen;
  let lastMs = endedMs(anchor);
  for (const exchange of leavingLast(target, seen))
    if (exchange.outcome === 'admitted') lastMs = Math.max(lastMs, endedMs(exchange));
  const spareMs = drawn(target.vary, { usual: 20, least: 20, most: 600 }, 'reburst-at');
  return (emptyIfShorterMs(target, seen) ?? lastMs + settledAfterMs(target.windowMs)) + spareMs;
}

/**
 * After an early return: when everything would have left a rolling window that is shorter than documented. Only such a
 * window has all its places back by then; a window that was emptied at a boundary has not. `null` where nothing came
 * back early.
 */
function emptyIfShorterMs(target: Target, seen: History): number | null {
  const [first] = returned(seen);
  if (first === undefined || !isEarly(target, seen, first)) return null;
  const admitted = seen.own.filter(({ outcome }) => outcome === 'admitted');
  // A limiter that never admitted a whole limit was not full, so nothing came back. The re-burst comes at its usual
  // time.
  if (admitted.length <= target.limit) return null;
  return Math.max(...admitted.map(endedMs)) + windowMsAtMost(endedMs(first) - seen.anchor.sentMs);
}

/**
 * A few requests where the first place came back late and the burst met refusals. Either all places are held so long, or the
 * requests that were rejected meanwhile took places, those of the burst among them: a few are asked for once what the
 * saturation took would have left a window that is so much too long.
 */
function askLate(target: Target, seen: History, nowMs: number): Step | null {
  const [first] = returned(seen);
  if (first === undefined || seen.by('late-return').length > 0) return null;
  const lateMs = endedMs(first) - endedMs(seen.anchor) - target.windowMs;
  if (lateMs <= lateMaxMs || !seen.wasLimited('reburst')) return null;
  const taken = seen.by('saturate').filter(({ outcome }) => outcome === 'admitted');
  const dueMs = lastEndedMs(taken) + windowMsAtMost(target.windowMs) + lateMs;
  if (nowMs < dueMs)
    return { kind: 'wait', why: 'until all would have left a longer window', untilMs: dueMs };
  return send('late-return', requests(target, excess));
}

/** A few requests with the second key. A window of its own admits them. */
function askOtherKey(target: Target, soFar: readonly Exchange[], purpose: string): Step | null {
  const { otherKey, scope } = target;
  if (otherKey === null || sortedOf(target, soFar).asked.has(purpose)) return null;
  const request: ProbeRequest = { scope, route: 'main', key: otherKey, credential: 'valid' };
  return send(purpose, [request, request]);
}

/** Several parts of one step ask for it. */
const returnedIn = new WeakMap<History, readonly Exchange[]>();

const asksForReturn = ['confirm', 'quiet', 'ladder', 'retry-1', 'retry-2', 'retry-3', 'retry-4'] as const;

/** Admissions after the window had been full. */
function returned(seen: History): readonly Exchange[] {
  const known = returnedIn.get(seen);
  if (known !== undefined) return known;
  const found: Exchange[] = [];
  for (const purpose of asksForReturn)
    for (const exchange of seen.by(purpose)) if (exchange.outcome === 'admitted') found.push(exchange);
  found.sort((left, right) => left.sentMs - right.sentMs);
  returnedIn.set(seen, found);
  return found;
}

type Moment = {
  readonly dueMs: number;
  readonly purpose: string;
  readonly why: string;
  readonly target: Target;
  readonly nowMs: number;
};

function atMoment({ dueMs, purpose, why, target, nowMs }: Moment): Step {
  return nowMs < dueMs ? { kind: 'wait', why, untilMs: dueMs } : send(purpose, requests(target, 1));
}
