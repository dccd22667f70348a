import { bounds } from '../contract/bounds.ts';
import { probedWindowMsMax } from '../contract/document/further-limit.ts';
import type { Exchange } from '../contract/exchange.ts';
import { promisedMax, promisedMs, promisedStep } from './promised-schedule.ts';
import { endedMs, isOwn, type Step, type Target, type TargetPart } from './steps.ts';

/**
 * The probe of a scope that has several limits, as a pure function of the answers so far: one limit after another, the one with
 * the shortest window first. Whatever is sent for a longer one is sent so slowly that the shorter ones let it pass.
 */
export function nextOfSeveral(target: Target, soFar: readonly Exchange[], nowMs: number): Step {
  const all = soFar.filter((exchange) => isOwn(target, exchange));
  const own = all.slice(
    all.findLastIndex(({ purpose, key }) => purpose === 'preflight' && key === target.key),
  );
  const [preflight] = own;
  if (preflight?.purpose !== 'preflight')
    throw new Error(`the schedule of ${target.scope} needs a preflight exchange first`);
  const parts = probedParts(target.parts ?? []);
  for (const [at, { name, limit, windowMs, promise }] of parts.entries()) {
    const first = own.findIndex(({ purpose }) => purpose.endsWith(`@${name}`));
    const mine = own.filter(({ purpose }) => purpose.endsWith(`@${name}`));
    // Each probe begins after the last request of the one before it.
    const anchor = (at === 0 ? preflight : own[first === -1 ? own.length - 1 : first - 1]) as Exchange;
    const since = at === 0 ? [preflight, ...mine] : mine;
    const step = promisedStep(
      { ...target, part: name, limit, windowMs, promise },
      { since, soFar, anchor },
      nowMs,
    );
    if (step.kind === 'done') continue;
    const shorter = parts
      .slice(0, at)
      .map((one) => ({ ...one, reachMs: reachMsOf(one, parts[at] as TargetPart) }));
    return paced(step, { key: target.key, own, shorter }, nowMs);
  }
  return { kind: 'done' };
}

/** The limits that a run probes, the shortest window first. */
export function probedParts(parts: readonly TargetPart[]): readonly TargetPart[] {
  return parts
    .filter(({ windowMs }) => windowMs <= probedWindowMsMax)
    .toSorted((left, right) => left.windowMs - right.windowMs);
}

/** What a run's clocks and answers may add to a wait, ms. */
const spareMs = 50;

type Shorter = TargetPart & { readonly reachMs: number };

type Pace = {
  readonly key: string;
  readonly own: readonly Exchange[];
  readonly shorter: readonly Shorter[];
};

/** A step with as many of its requests as the shorter limits let pass now; a wait where they let none. */
function paced(step: Step, { key, own, shorter }: Pace, nowMs: number): Step {
  if (step.kind !== 'send' || step.requests.some((request) => request.key !== key)) return step;
  const waits = shorter.map(({ limit, reachMs }) => {
    const within = own.map(endedMs).filter((ms) => ms > nowMs - reachMs - spareMs);
    const oldestMs = within[within.length - limit];
    return { room: limit - within.length, untilMs: (oldestMs ?? nowMs) + reachMs + spareMs + 1 };
  });
  const untilMs = Math.max(nowMs, ...waits.filter(({ room }) => room <= 0).map((one) => one.untilMs));
  if (untilMs > nowMs) return { kind: 'wait', why: 'below the shorter limits', untilMs };
  const room = Math.min(step.requests.length, ...waits.map((one) => one.room));
  return { ...step, requests: step.requests.slice(0, room) };
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

/** How long a probe of several limits takes at most where they are kept, ms. */
export function severalMs(parts: readonly TargetPart[], isDoubtful: boolean): number {
  const probed = probedParts(parts);
  return probed.reduce((sum, part, at) => {
    const slowest = Math.max(
      0,
      ...probed.slice(0, at).map((shorter) => (reachMsOf(shorter, part) * part.limit) / shorter.limit),
    );
    return sum + promisedMs({ promise: part.promise, isDoubtful }, part.windowMs) + burstsMax * slowest;
  }, 0);
}

/** Bursts of the whole limit that a probe sends, where the limit is kept. */
const burstsMax = 4;

/** The most requests of such a probe. */
export function severalMax(parts: readonly TargetPart[]): number {
  return probedParts(parts).reduce((sum, { limit }) => sum + promisedMax(limit), 0);
}
