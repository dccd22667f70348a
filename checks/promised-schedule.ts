import { waitPlacesOf } from '../contract/announced-wait.ts';
import { costOf, costOfAll } from '../contract/document/cost.ts';
import type { Exchange } from '../contract/exchange.ts';
import { excess } from './burst.ts';
import { boundaryAsksMs } from './clock-windows.ts';
import {
  cheapest,
  cheapThenDear,
  dearestOf,
  isOfOnePrice,
  leastCostOf,
  mixed,
  mostRequestsIn,
} from './mixed-requests.ts';
import {
  aloneFrom,
  aloneMs,
  backAfterMs,
  begunLateMs,
  confirmAtMs,
  cyclesOf,
  dropRetriesMax,
  dropRetriesShare,
  isTakenApart,
  type Kind,
  pauseMs,
  promisedFillMs,
  rungsMax,
  rungsOf,
  type Since,
  shortMs,
} from './promised-times.ts';
import { announcedOverMs } from './retries.ts';
import { purposeOfPart, type Sorted, sortedOf } from './sorted-history.ts';
import { endedMs, lastEndedMs, type ProbeRequest, type Step, send, type Target } from './steps.ts';

/**
 * The probe of a scope whose limit is no rolling window, as a pure function of the answers so far: a third of the limit; the
 * rest of it, until a 429; and then, a few times, single requests until capacity has come back, with a burst until a 429 at
 * once when one of them is admitted. Where windows begin anew, they show when. At last the key is left alone, so that all of
 * the limit has to be there at once, unless windows begin anew and are long. Where a refusal may have been an outage, the key
 * is then left alone for a window, and capacity is seen to come back anew: what both rounds contradict, one outage cannot
 * have been.
 */
export function nextPromisedStep(target: Target, soFar: readonly Exchange[], nowMs: number): Step {
  const { own, anchor, by, asked } = sortedOf(target, soFar);
  return promisedStep(target, { since: own, anchor, by, asked }, nowMs);
}

/** The same for the probe of one limit, which begins after an anchor. */
export function promisedStep(target: Target, seen: Seen, nowMs: number): Step {
  return (
    fill(target, seen) ??
    saturate(target, seen, nowMs) ??
    confirm(target, seen, nowMs) ??
    askOtherKey(target, seen, 'other-key') ??
    retry(target, seen, nowMs) ??
    askAgain(target, seen, nowMs) ?? { kind: 'done' }
  );
}

/** What a request of a probe is for; of one limit of several, with the name of that limit. */
function purposeOf({ part }: Target, purpose: string): string {
  return purposeOfPart(purpose, part);
}

/** How much of a limit is filled first. */
const fillShare = 1 / 3;

/** How often it is at most, in one round. */
const cyclesMax = 6;

/** Rounds of a probe, with a window of rest in between, after which capacity has to be back too. */
function roundsOf({ isDoubtful }: Pick<Kind, 'isDoubtful'>): number {
  return isDoubtful ? 2 : 1;
}

/** The most requests of one burst, of so many that fill the limit: beyond it a scope counts as unlimited. */
export function promisedBurstMax(limit: number): number {
  return unlimitedFrom(limit) + moreAtOnce(limit);
}

/** A burst of so many without a 429 has met no limit. */
function unlimitedFrom(limit: number): number {
  return 2 * limit + 3 * excess;
}

/**
 * What is sent at a time once the limit has passed: as many again as have passed beyond it, since over a slow network a bucket gets
 * back meanwhile what a few take; no more than make it unlimited.
 */
function moreBeyond(
  limit: number,
  { sent, beyond }: { readonly sent: number; readonly beyond: number },
): number {
  return Math.min(Math.max(moreAtOnce(limit), beyond), promisedBurstMax(limit) - sent);
}

/** What is sent so at least. */
function moreAtOnce(limit: number): number {
  return Math.max(excess, Math.ceil(limit / 20));
}

/** The most requests that such a probe sends to a scope, the second key's among them; so many fill the limit. */
export function promisedMax(limit: number, kind: Pick<Kind, 'isDoubtful'>): number {
  const singles = rungsMax + 3 + 2 + 2;
  const cycles = roundsOf(kind) * cyclesMax;
  return (
    (cycles + 1) * (promisedBurstMax(limit) + confirmMax(limit)) + cycles * (singles + 1) + dropRetriesMax + 3
  );
}

function fill(target: Target, seen: Seen): Step | null {
  const { since } = seen;
  if (byPurpose(target, seen, 'fill').length > 0) return null;
  const spent = costOfAll(since);
  const next = mixed(target, since, {
    units: Math.round(target.limit * fillShare) - spent,
    room: target.limit - spent,
  });
  return next.length === 0 ? null : send(purposeOf(target, 'fill'), next);
}

/** When the first third of the limit was answered: over a slow network, long after the first request of all. */
function filledMs(target: Target, seen: Seen): number {
  return Math.max(seen.anchor.sentMs, lastEndedMs(byPurpose(target, seen, 'fill')));
}

function saturate(target: Target, seen: Seen, nowMs: number): Step | null {
  const { since } = seen;
  const dueMs = filledMs(target, seen) + promisedFillMs(target.windowMs);
  const sent = byPurpose(target, seen, 'saturate');
  if (sent.length === 0 && nowMs < dueMs)
    return { kind: 'wait', why: 'between fill and saturation', untilMs: dueMs };
  const own = ['saturate', 'edge'].map((purpose) => purposeOf(target, purpose));
  const before = since.filter(({ purpose }) => !own.includes(purpose));
  return burst(target, 'saturate', { seen, sent, before, dear: dearIn(target, 'saturation') });
}

type Burst = {
  readonly seen: Seen;
  readonly sent: readonly Exchange[];
  /** What has taken its part of the limit already. */
  readonly before: readonly Exchange[];
  /** Where requests cost differently: when dear ones are sent, and whether one is where less than it costs is left. */
  readonly dear: Dear;
};

type Dear = 'last' | 'first' | { readonly edge: string };

/**
 * All that is left of the limit at once, then a few more at a time until one is refused. Where requests cost differently,
 * the last part is left to the cheapest: only a limit that is met refuses one of those.
 */
function burst(target: Target, purpose: string, { seen, sent, before, dear }: Burst): Step | null {
  const least = leastCostOf(target);
  const refused = sent.filter(({ outcome }) => outcome !== 'admitted');
  if (refused.some((one) => costOf(one) === least)) return null;
  const most = mostRequestsIn(target.limit, target);
  if (sent.length >= unlimitedFrom(most)) return null;
  const edged = typeof dear === 'object' ? byPurpose(target, seen, dear.edge) : [];
  const taken = [...before, ...[...sent, ...edged].filter(({ outcome }) => outcome === 'admitted')];
  const left = target.limit - costOfAll(taken);
  // After a dear one that was refused, cheaper ones may still pass.
  const next = refused.length > 0 ? [] : dearAmong(target, { sent, taken, left, dear });
  if (next.length > 0) return send(purposeOf(target, purpose), next);
  if (typeof dear === 'object' && !isOfOnePrice(target) && edged.length === 0)
    return send(purposeOf(target, dear.edge), [dearestOf(target).request]);
  // Not one more than the limit at once: whoever is refused then had fewer before it, whatever else was on its way.
  const fitting = Math.floor(left / least);
  const more = sent.length === 0 ? 1 : moreBeyond(most, { sent: sent.length, beyond: -left });
  return send(purposeOf(target, purpose), cheapest(target, fitting > 0 ? fitting : more));
}

type Left = Pick<Burst, 'sent' | 'dear'> & { readonly taken: readonly Exchange[]; readonly left: number };

/** What a burst sends before the limit is left to the cheapest; nothing once that was sent. */
function dearAmong(target: Target, { sent, taken, left, dear }: Left): readonly ProbeRequest[] {
  if (isOfOnePrice(target)) return mixed(target, taken, { units: left, room: left });
  if (dear === 'last') return cheapThenDear(target, sent, left);
  const next = mixed(target, taken, { units: left - dearestOf(target).cost + 1, room: left });
  // The dearest alone, so that none of them is refused in the place of a cheaper one.
  const apart = next.filter(({ route }) => route === 'beside');
  return apart.length > 0 && sent.length === 0 ? apart : next;
}

function confirm(target: Target, seen: Seen, nowMs: number): Step | null {
  const sent = byPurpose(target, seen, 'confirm');
  const isLate = sent.length > 0;
  if (sent.length > 1) return null;
  const isEdge = isLate && hasEdgeWhileEmpty(target) && byPurpose(target, seen, 'edge').length === 0;
  const dueMs =
    Math.max(...byPurpose(target, seen, 'saturate').map(endedMs)) + confirmAtMs(target)[isLate ? 1 : 0];
  if (nowMs < dueMs) return { kind: 'wait', why: 'confirming that the limit is met', untilMs: dueMs };
  if (isEdge) return send(purposeOf(target, 'edge'), [dearestOf(target).request]);
  return send(purposeOf(target, 'confirm'), cheapest(target, isLate ? beyondRefill(target) : 1));
}

/** Whether what comes back in drops is asked for by the dearest request before it is enough for one. */
function hasEdgeWhileEmpty(target: Target): boolean {
  return target.promise === 'token-bucket' && !isOfOnePrice(target);
}

/** More than a bucket gets back until it is asked again. */
function beyondRefill(target: Target): number {
  const most = mostRequestsIn(target.limit, target);
  return Math.min(confirmMax(most), 2 + Math.ceil((1.5 * most * confirmAtMs(target)[1]) / target.windowMs));
}

function confirmMax(limit: number): number {
  return 2 + limit;
}

/** One request when the wait is over that a confirming 429 announced, where that is long before any window is. */
function retry(target: Target, seen: Seen, nowMs: number): Step | null {
  if (target.promise === 'token-bucket') return retryInDrops(target, seen, nowMs);
  const { anchor } = seen;
  const [confirmed] = byPurpose(target, seen, 'confirm');
  const dueMs = confirmed === undefined ? null : announcedOverMs(confirmed, target);
  // By the clock all has come back once a window of it begins: it is asked for then, however long a refusal has one wait.
  const [, begunMs = Number.POSITIVE_INFINITY] = boundaryAsks(target, filledMs(target, seen));
  const latestMs = Math.min(anchor.sentMs + soonShare * target.windowMs, begunMs);
  if (dueMs === null || dueMs > latestMs) return null;
  if (byPurpose(target, seen, 'retry').length > 0) return null;
  if (nowMs < dueMs) return { kind: 'wait', why: 'waiting as announced', untilMs: dueMs };
  return send(purposeOf(target, 'retry'), cheapest(target, 1));
}

const soonShare = 0.4;

/**
 * The same for a bucket, to which a place comes back soon: for each way in which refusals say how long to wait, a single request
 * that is refused right after another one was admitted, so that a whole place is missing, and one more when its wait is over.
 */
function retryInDrops(target: Target, seen: Seen, nowMs: number): Step | null {
  const confirmed = byPurpose(target, seen, 'confirm');
  const sent = byPurpose(target, seen, 'retry');
  if (!confirmed.some((one) => announcedOverMs(one, target) !== null)) return null;
  // How many waits were kept from a moment at which a whole place was missing.
  const kept = sent.filter((_, at) => isRefused(sent[at - 1]) && at > 1 && !isRefused(sent[at - 2])).length;
  if (kept >= waitPlacesOf(target.announcing).length || sent.length >= dropRetriesMax) return null;
  const untilMs = lastEndedMs(confirmed) + dropRetriesShare * target.windowMs;
  const last = sent.at(-1);
  const dueMs =
    last !== undefined && isRefused(last)
      ? announcedOverMs(last, target, kept)
      : lastEndedMs(last === undefined ? confirmed : [last]) + retryApartMs;
  if (dueMs === null || dueMs > untilMs) return null;
  if (nowMs < dueMs) return { kind: 'wait', why: 'waiting as announced', untilMs: dueMs };
  return send(purposeOf(target, 'retry'), cheapest(target, 1));
}

function isRefused(exchange: Exchange | undefined): boolean {
  return exchange?.outcome === 'limited';
}

/** Apart from what was answered before it, even by a clock of whole milliseconds. */
const retryApartMs = 5;

/** Two requests with the second key, while the first has none left. */
function askOtherKey(target: Target, { asked }: Seen, why: string): Step | null {
  const { otherKey } = target;
  const purpose = purposeOf(target, why);
  if (otherKey === null || asked.has(purpose)) return null;
  // The cheapest, since what another key takes may explain what this one is refused.
  return send(purpose, cheapest({ ...target, key: otherKey }, 2));
}

/** Where a cycle stands: capacity last came back after `fromMs`, and all of it was taken by `fullMs`. */
type Cycle = {
  readonly at: number;
  readonly fromMs: number;
  /** When the request had been answered that it came back with; `null` before the first cycle. */
  readonly askedMs: number | null;
  readonly fullMs: number;
  readonly round: Round;
};

/** A round of cycles: how many of them are over; or one alone, before which the key rests for a window. */
type Round = {
  readonly kind: 'first' | 'rest' | 'second';
  readonly beganMs: number;
  readonly cycles: number;
};

export type Seen = Pick<Sorted, 'anchor' | 'by' | 'asked'> & {
  /** Of the key and scope, from the anchor on; of one limit of several, what was sent for it. */
  readonly since: readonly Exchange[];
};

function askAgain(target: Target, seen: Seen, nowMs: number): Step | null {
  const { since, anchor } = seen;
  const asks = byPurpose(target, seen, 'ask');
  const filled = filledMs(target, seen);
  const opened = opening.flatMap((purpose) => byPurpose(target, seen, purpose)).map(endedMs);
  let cycle: Cycle = {
    at: 0,
    fromMs: Math.max(filled, begunMeanwhileMs(target, seen)),
    askedMs: null,
    fullMs: Math.max(anchor.sentMs, ...opened),
    round: { kind: 'first', beganMs: anchor.sentMs, cycles: 0 },
  };
  let lastMs = cycle.fullMs;
  for (const ask of asks) {
    cycle = restedIfOver(target, cycle, { lastMs, anchor });
    if (ask.outcome === 'limited') {
      lastMs = ask.sentMs;
      continue;
    }
    const { at } = cycle;
    const sent = byPurpose(target, seen, burstName(at));
    const step =
      pause(target, { ask, sent, cycle: at }, nowMs) ??
      burst(target, burstName(at), { seen, sent, before: [ask], dear: dearIn(target, cycle) }) ??
      askOtherKey(target, seen, `other-key-${at + 1}`) ??
      confirmLate(target, { seen, sent, cycle: at }, nowMs);
    if (step !== null) return step;
    const confirmed = byPurpose(target, seen, confirmName(at));
    const edged = byPurpose(target, seen, edgeName(at));
    const fullMs = Math.max(...[ask, ...sent, ...edged, ...confirmed].map(endedMs));
    // When in the rest it came back says nothing of what comes next.
    const fromMs = cycle.round.kind === 'rest' ? ask.sentMs : lastMs;
    cycle = { at: at + 1, fromMs, askedMs: endedMs(ask), fullMs, round: roundAfter(cycle, ask) };
    lastMs = fullMs;
  }
  cycle = restedIfOver(target, cycle, { lastMs, anchor });
  const announced = since.flatMap((one) =>
    endedMs(one) >= cycle.fullMs ? (announcedOverMs(one, target) ?? []) : [],
  );
  const { windowMs } = target;
  const isUsable = (ms: number): boolean =>
    ms > cycle.fromMs + soonShare * windowMs && ms <= cycle.fullMs + backAfterMs(windowMs);
  const dueMs = isOver(target, cycle, { lastMs, anchor })
    ? undefined
    : momentsOf(target, cycle, {
        announced: announced.filter(isUsable),
        anchor,
        filledMs: filled,
      }).find((ms) => ms > lastMs);
  if (dueMs === undefined) return null;
  if (nowMs < dueMs) return { kind: 'wait', why: 'until the limit has come back', untilMs: dueMs };
  return send(purposeOf(target, 'ask'), cheapest(target, 1));
}

/** When a window began with a request that was admitted though the limit had been met; of windows that begin otherwise, never. */
function begunMeanwhileMs(target: Target, seen: Seen): number {
  if (begunLateMs(target) === null) return Number.NEGATIVE_INFINITY;
  const sent = ['confirm', 'retry'].flatMap((purpose) => byPurpose(target, seen, purpose));
  return Math.max(...sent.flatMap(({ outcome, sentMs }) => (outcome === 'admitted' ? [sentMs] : [])));
}

type Last = { readonly lastMs: number; readonly anchor: Exchange };

/** The cycle; where the first round is over with it and another is due, the one after a window of rest. */
function restedIfOver(target: Target, cycle: Cycle, last: Last): Cycle {
  if (!target.isDoubtful || cycle.round.kind !== 'first') return cycle;
  if (!isOver(target, cycle, last) || isLongEnough(target, last)) return cycle;
  const { lastMs } = last;
  const round = { kind: 'rest', beganMs: lastMs, cycles: 0 } as const;
  return { ...cycle, fromMs: lastMs, fullMs: lastMs, round };
}

/** The round after a cycle that was seen whole. What comes back after the rest begins another one. */
function roundAfter({ round }: Cycle, ask: Exchange): Round {
  if (round.kind === 'rest') return { kind: 'second', beganMs: ask.sentMs, cycles: 0 };
  return { ...round, cycles: round.cycles + 1 };
}

/** Whether the round of a cycle is over: it has been seen often enough, or a limit that is not back now does not come back as promised. */
function isOver(target: Target, { fullMs, round }: Cycle, { lastMs, anchor }: Last): boolean {
  const { windowMs } = target;
  const backMs = backAfterMs(windowMs);
  if (round.kind === 'rest') return lastMs >= fullMs + restsMax * backMs;
  if (round.kind === 'second' && lastMs <= fullMs && fullMs >= anchor.sentMs + 2 * backMs + windowMs)
    return true;
  // What came back by drops shows nothing of a window before one has passed since the round began.
  const isLong = lastMs >= round.beganMs + backMs;
  return round.cycles >= cyclesOf(target) + (isLong ? 0 : 1) || lastMs >= fullMs + backMs;
}

/** Whether a probe has seen each phase of a window twice. */
function isLongEnough({ windowMs }: Target, { lastMs, anchor }: Last): boolean {
  return lastMs >= anchor.sentMs + 2 * backAfterMs(windowMs) + windowMs / 2;
}

/** An outage may last until the rest is over, so capacity is asked for once more a window later. */
const restsMax = 2;

/** Before the burst after a request that was admitted: clocks may run apart, and a window begins before both, or after. */
function pause(target: Target, { ask, sent, cycle }: Asked, nowMs: number): Step | null {
  const dueMs = endedMs(ask) + pauseMs(target, cycle);
  if (sent.length > 0 || nowMs >= dueMs) return null;
  return { kind: 'wait', why: 'before a burst', untilMs: dueMs };
}

type Asked = { readonly ask: Exchange; readonly sent: readonly Exchange[]; readonly cycle: number };

type Sent = {
  readonly seen: Seen;
  readonly sent: readonly Exchange[];
  readonly cycle: number;
};

/** A bucket is left to fill; so is who counts rejected requests, before the key is left alone. */
function isUnasked(target: Target, cycle: number): boolean {
  return target.promise === 'token-bucket' || cycle + 1 === aloneFrom(target);
}

/** One request more than a second after a burst: only a limit that is met refuses it. */
function confirmLate(target: Target, { seen, sent, cycle }: Sent, nowMs: number): Step | null {
  const purpose = confirmName(cycle);
  if (byPurpose(target, seen, purpose).length > 0 || isUnasked(target, cycle)) return null;
  const dueMs = Math.max(...sent.map(endedMs)) + confirmAtMs(target)[1];
  if (nowMs < dueMs) return { kind: 'wait', why: 'confirming that the limit is met', untilMs: dueMs };
  return send(purposeOf(target, purpose), cheapest(target, beyondRefill(target)));
}

/** When a cycle's single requests are due, ascending, ms. */
function momentsOf(
  target: Target,
  { fromMs, askedMs, fullMs, round }: Cycle,
  { announced, ...since }: Since & { readonly announced: readonly number[] },
): readonly number[] {
  const { promise, windowMs } = target;
  const backAfter = backAfterMs(windowMs);
  const backMs = fullMs + backAfter;
  if (round.kind === 'rest') return [backMs, backMs + backAfter];
  if (round.cycles >= aloneFrom(target)) return [aloneMs(target, { ...since, backMs })];
  const lateMs = begunLateMs(target);
  // A window that begins with a request began with the one that was admitted; any other, after the last one that was not.
  const begunMs = lateMs !== null && askedMs !== null ? askedMs : fromMs;
  // Windows that begin anew give everything back a window after they began, before what came last is a window old.
  const anewMs = begunMs + backAfter;
  // Nobody knows whose request began the first one.
  if (lateMs !== null && askedMs === null) return [anewMs + lateMs, backMs];
  const asked = promise === 'token-bucket' ? [] : announced.slice(0, 1);
  // In a short window a wait of whole seconds is over after the limit came back: it is kept once.
  const isKept = asked.length > 0 && windowMs < shortMs && round.cycles === 1;
  if (isKept) return [...asked, backMs];
  const rungs = rungsOf(target).map((share) => begunMs + share * windowMs);
  const byClock = boundaryAsks(target, fromMs);
  // Of two places that were taken apart, the first has to be back long before the second one.
  const firstMs = askedMs !== null && isTakenApart(target) ? [askedMs + backAfter] : [];
  return [...rungs, ...asked, ...byClock, ...firstMs, anewMs, backMs].sort((left, right) => left - right);
}

/** When capacity is asked for around the first boundary after a moment, of windows that begin by the clock; else never. */
function boundaryAsks({ aligned, windowMs, announcing }: Target, fromMs: number): readonly number[] {
  if (aligned !== 'clock') return [];
  return boundaryAsksMs(fromMs, { windowMs, skewMs: 1_000 * announcing.clockSkewSecondsMax });
}

function burstName(cycle: number): string {
  return `burst-${cycle + 1}`;
}

function confirmName(cycle: number): string {
  return `confirm-${cycle + 1}`;
}

/**
 * Where a burst has dear requests: last where capacity was waited for, since a place that came back early is told by the
 * cheapest. Where windows may begin anew, too much has to pass twice, so the edge is tried twice; who counts what it rejects
 * has less left after that, so it is tried nowhere else. A bucket has its edge while it is empty.
 */
function dearIn({ promise }: Target, at: 'saturation' | Cycle): Dear {
  if (at === 'saturation') return promise === 'token-bucket' ? 'first' : { edge: 'edge' };
  const { cycles, kind } = at.round;
  const hasEdge = kind !== 'rest' && cycles === 1 && (promise === 'fixed' || promise === 'unsaid');
  return hasEdge ? { edge: edgeName(at.at) } : 'last';
}

function edgeName(cycle: number): string {
  return `edge-${cycle + 1}`;
}

/** What is sent before capacity is asked for. */
const opening = ['fill', 'saturate', 'edge', 'confirm', 'retry'] as const;

function byPurpose(target: Target, { by }: Seen, wanted: string): readonly Exchange[] {
  return by(purposeOf(target, wanted));
}
