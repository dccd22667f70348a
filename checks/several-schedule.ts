import { bounds } from '../contract/bounds.ts';
import { costOf, costOfAll } from '../contract/document/cost.ts';
import { probedWindowMsMax } from '../contract/document/further-limit.ts';
import type { Exchange } from '../contract/exchange.ts';
import { greatestOf, leastOf } from '../contract/extremes.ts';
import { withInner } from './inner-requests.ts';
import { mostRequestsIn, unitsOf } from './mixed-requests.ts';
import { promisedMax, promisedStep } from './promised-schedule.ts';
import { promisedMs } from './promised-times.ts';
import { lastOfBefore, sortedOf } from './sorted-history.ts';
import { endedMs, type Step, type Target, type TargetPart } from './steps.ts';
import { type Passes, watchedReturns } from './too-soon.ts';

/**
 * The probe of a scope that has several limits, as a pure function of the answers so far: one limit after another, the one with
 * the shortest window first. Whatever is sent for a longer one is sent so slowly that the shorter ones let it pass.
 */
export function nextOfSeveral(target: Target, soFar: readonly Exchange[], nowMs: number): Step {
  const sorted = sortedOf(target, soFar);
  const { own, by, asked } = sorted;
  const all = target.parts ?? [];
  const parts = probedParts(all);
  const outer = all.filter(({ isOuter }) => isOuter === true);
  const before = lastOfBefore(target, soFar);
  for (const [at, { name, ...part }] of parts.entries()) {
    const mine = sorted.ofPart(name);
    // Each probe begins after the last request of the one before it.
    const anchor = at === 0 ? (before ?? sorted.anchor) : sorted.beforePart(name);
    const since = at === 0 && before === null ? [anchor, ...mine] : mine;
    const step = promisedStep({ ...target, ...part, part: name }, { since, anchor, by, asked }, nowMs);
    if (step.kind === 'done') continue;
    const shorter = [...parts.slice(0, at), ...outer.filter(({ windowMs }) => windowMs < part.windowMs)].map(
      (one) => ({ ...one, reachMs: reachMsOf(one, parts[at] as TargetPart) }),
    );
    return withInner(paced(step, { target, own, shorter }, nowMs), target, by);
  }
  return { kind: 'done' };
}

/** The limits that a run probes, the shortest window first. */
export function probedParts(parts: readonly TargetPart[]): readonly TargetPart[] {
  return parts
    .filter(({ windowMs, isOuter }) => windowMs <= probedWindowMsMax && isOuter !== true)
    .toSorted((left, right) => left.windowMs - right.windowMs);
}

/** What a run's clocks and answers may add to a wait, ms. */
const spareMs = 50;

type Shorter = TargetPart & { readonly reachMs: number };

type Pace = {
  readonly target: Target;
  readonly own: readonly Exchange[];
  readonly shorter: readonly Shorter[];
};

/** A step with as many of its requests as the shorter limits let pass now; a wait where they let none. */
function paced(step: Step, { target, own, shorter }: Pace, nowMs: number): Step {
  if (step.kind !== 'send' || step.requests.some(({ key }) => key !== target.key)) return step;
  const costs = step.requests.map((request) => unitsOf(target, request));
  const [first = 1] = costs;
  const waits = shorter.map(({ limit, reachMs }) => {
    const within = own.filter((one) => endedMs(one) > nowMs - reachMs - spareMs);
    // The last that has to leave before the next request passes.
    let left = limit - first;
    const leaving = within.findLast((one) => {
      left -= costOf(one);
      return left < 0;
    });
    const untilMs = (leaving === undefined ? nowMs : endedMs(leaving)) + reachMs + spareMs + 1;
    return { room: limit - costOfAll(within), untilMs };
  });
  const full = waits.filter(({ room }) => room < first);
  const untilMs = Math.max(nowMs, greatestOf(full.map((one) => one.untilMs)));
  if (untilMs > nowMs) return { kind: 'wait', why: 'below the shorter limits', untilMs };
  let room = leastOf(waits.map((one) => one.room));
  const fitting = costs.findIndex((cost) => {
    room -= cost;
    return room < 0;
  });
  return { ...step, requests: fitting === -1 ? step.requests : step.requests.slice(0, fitting) };
}

/** How much of its window the requests of a longer limit may take to send. */
const sendShareMax = 0.7;

/**
 * For how long a request may count against a shorter limit, ms: a second longer than its window, as by a clock of whole
 * seconds, or a window more where the one before may weigh. Where the longer limit could not be reached so, its window alone.
 */
function reachMsOf({ limit, windowMs, promise }: TargetPart, longer: TargetPart): number {
  const leastMs = windowMs * (1 + bounds.clockRate) + bounds.clockResolutionMs;
  const safeMs = leastMs + (promise === 'unsaid' ? windowMs : bounds.granularityMs);
  return (safeMs * longer.limit) / limit <= sendShareMax * longer.windowMs ? safeMs : leastMs;
}

/** How long a probe of several limits takes at most, ms. */
export function severalMs(parts: readonly TargetPart[], isDoubtful: boolean, passes: Passes): number {
  const probed = probedParts(parts);
  return probed.reduce((sum, part, at) => {
    const slowest = Math.max(
      0,
      greatestOf(
        probed.slice(0, at).map((shorter) => (reachMsOf(shorter, part) * part.limit) / shorter.limit),
      ),
    );
    // A bucket gets back meanwhile what has to be sent then too.
    const sendMs =
      part.promise === 'unsaid' ? slowest / (1 - Math.min(sendShareMax, slowest / part.windowMs)) : slowest;
    const kind = { ...part, isDoubtful };
    const more = watchedReturns(kind, passes);
    return sum + promisedMs(kind, more) + (burstsMax(isDoubtful) + more) * sendMs;
  }, 0);
}

/** Bursts of the whole limit that a probe sends, where the limit is kept. */
function burstsMax(isDoubtful: boolean): number {
  return isDoubtful ? 6 : 4;
}

/** The most requests of such a probe. */
export function severalMax(
  parts: readonly TargetPart[],
  target: Pick<Target, 'cost' | 'others' | 'isDoubtful'>,
): number {
  return probedParts(parts).reduce(
    (sum, { limit }) => sum + promisedMax(mostRequestsIn(limit, target), target),
    0,
  );
}
