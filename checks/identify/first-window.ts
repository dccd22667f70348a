import { usualSeconds } from '../../judge/identify/usual-windows.ts';
import { nextBoundaryMs, scaled } from '../moments.ts';
import type { Facts } from './facts.ts';
import { expectedWindowMs, type Unknown } from './unknown.ts';

/** Fewest and most rungs of the first window, for any limit. */
const rungsMin = 5;
const rungsMax = 50;

/** Refusals that are kept in reserve for the requests after the rungs. */
const reserve = 3;

/**
 * Moments of the rungs of the first window, ascending, ms: the most informative ones, as many as the limit allows. A
 * log that counts refusals never opens again after as many refusals as its limit.
 */
export function firstWindowMoments(target: Unknown, facts: Facts): readonly number[] {
  const budget = Math.max(rungsMin, Math.min(rungsMax, facts.limit - 1 - facts.refusals - reserve));
  const chosen: number[] = [];
  for (const ms of byImportance(target, facts)) {
    if (chosen.length >= budget) break;
    if (ms > facts.fullMs && !chosen.some((other) => Math.abs(other - ms) < closestMs)) chosen.push(ms);
  }
  spread(chosen, { budget, fromMs: facts.fullMs, untilMs: endOfFirstWindowMs(target, facts) });
  return chosen.sort((left, right) => left - right);
}

/** Two requests closer together than this show no more than one. */
const closestMs = 20;

/** When all requests of the opening must have left a window of the expected length, granularity included. */
export function endOfFirstWindowMs(target: Unknown, { fullMs, burstMs }: Facts): number {
  return fullMs + expectedWindowMs(target) + (fullMs - burstMs) + scaled(1_150, expectedWindowMs(target));
}

function byImportance(target: Unknown, facts: Facts): readonly number[] {
  const windowMs = expectedWindowMs(target);
  const { anchorMs, anchorEndMs, burstMs, fullMs, limit, latencyMs } = facts;
  const boundaryMs = nextBoundaryMs(fullMs, windowMs);
  const dripMs = windowMs / limit;
  const before = (ms: number, ...offsets: readonly number[]) =>
    offsets.map((offset) => ms - latencyMs - scaled(offset, windowMs));
  const after = (ms: number, ...offsets: readonly number[]) =>
    offsets.map((offset) => ms + scaled(offset, windowMs));
  // A request close to a boundary may be decided before or after it. The closer it is, the more it shows.
  const within = (ms: number) => [-0.6, -0.3, 0.3, 0.6].map((share) => ms + share * latencyMs);
  return [
    fullMs + 1_080,
    fullMs + 1.25 * dripMs,
    ...after(anchorEndMs + windowMs, 50, 620),
    endOfFirstWindowMs(target, facts),
    ...before(anchorMs + windowMs, 30),
    ...after(boundaryMs, 30),
    ...before(boundaryMs, 10),
    ...(target.windowMs === null ? usualMoments(target, facts) : []),
    anchorMs + windowMs * 0.5,
    ...after(anchorEndMs + windowMs, 400, 1_080),
    ...before(anchorMs + windowMs, 400),
    ...after(boundaryMs, 2.2 * dripMs, 400),
    anchorMs + windowMs * 0.25,
    anchorMs + windowMs * 0.75,
    ...before(burstMs + windowMs, 150),
    ...after(fullMs + windowMs, 60),
    ...before(anchorMs + windowMs, 1_200),
    ...after(anchorEndMs + windowMs, 180, 1_800),
    ...after(boundaryMs, 180),
    ...before(boundaryMs, 200),
    ...(target.windowMs === null ? [] : subWindowMoments(facts, windowMs)),
    ...within(boundaryMs),
    ...within(anchorMs + windowMs),
  ];
}

/** A limiter may count per sub-window of the wall clock. The count of the anchor's sub-window is gone only then. */
function subWindowMoments({ anchorMs, returns }: Facts, windowMs: number): readonly number[] {
  if (returns.length > 0) return [];
  const ends = [10_000, 15_000, 30_000]
    .filter((ms) => ms < windowMs)
    .map((ms) => Math.ceil(anchorMs / ms) * ms);
  return ends.flatMap((ms) => [ms + windowMs + 70, ms + windowMs - 70]);
}

/** Where no length is expected: just after each usual length, counted from the first request. */
function usualMoments(target: Unknown, facts: Facts): readonly number[] {
  const { anchorEndMs, returns } = facts;
  const endMs = endOfFirstWindowMs(target, facts);
  const moments = usualSeconds
    .map((seconds) => anchorEndMs + seconds * 1_000 + 80)
    .filter((ms) => ms <= endMs);
  // Once a place has come back, the longer lengths are not tested.
  return returns.length > 0 ? moments : [...moments, ...everLaterMoments(target, facts)];
}

/**
 * Moments, s after the first request. The silences before them double, and each is somewhat longer than a usual length: a
 * block of that length that each refusal begins anew is over then.
 */
const everLaterSeconds = [90, 120, 184.5, 304.5, 604.5, 904.5, 1_804.5, 3_604.5] as const;

/** So much later than the longest wait, ms, comes the last request. */
const laterMs = 4_500;

/** The last moment to ask: when the longest wait is over. */
export function lastAskMs({ windowMsMax }: Unknown, { anchorEndMs }: Facts): number {
  return anchorEndMs + windowMsMax + laterMs;
}

/**
 * Where nothing has come back after a window of the expected length: ever later, because each refusal may begin the block
 * anew, and a longer silence is what ends such a block.
 */
function everLaterMoments(target: Unknown, facts: Facts): readonly number[] {
  const lastMs = lastAskMs(target, facts);
  return everLaterSeconds.map((seconds) => facts.anchorEndMs + seconds * 1_000).filter((ms) => ms <= lastMs);
}

type Spread = { readonly budget: number; readonly fromMs: number; readonly untilMs: number };

/** The remaining rungs go into the widest gaps: the end of a window with any phase lies in one of them. */
function spread(chosen: number[], { budget, fromMs, untilMs }: Spread): void {
  while (chosen.length < budget) {
    const marks = [
      fromMs,
      ...chosen.filter((ms) => ms < untilMs).sort((left, right) => left - right),
      untilMs,
    ];
    let widest = 1;
    for (let at = 2; at < marks.length; at += 1) {
      if (gapBefore(marks, at) > gapBefore(marks, widest)) widest = at;
    }
    if (gapBefore(marks, widest) < 4 * closestMs) return;
    chosen.push(((marks[widest - 1] as number) + (marks[widest] as number)) / 2);
  }
}

function gapBefore(marks: readonly number[], at: number): number {
  return (marks[at] as number) - (marks[at - 1] as number);
}
