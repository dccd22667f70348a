import { bounds, windowMsAtLeast } from '../../contract/bounds.ts';
import type { Deployment } from '../../contract/deployment.ts';
import { costOf } from '../../contract/document/cost.ts';
import { refusesLikeOutage } from '../../contract/document/document.ts';
import type { LimitPart } from '../../contract/document/further-limit.ts';
import type { PromiseKind } from '../../contract/document/promise.ts';
import { leastOf } from '../../contract/extremes.ts';
import type { Analysis } from '../analysis.ts';
import type { ClockSteps } from '../clock-steps.ts';
import { countBelow, countUpTo } from '../counting.ts';
import type { Entry, Group } from '../entries.ts';
import { boundsAdmitted } from '../intervals.ts';
import type { Misfit } from '../misfit.ts';
import { countedGroup } from '../outer.ts';
import { remainingBounds } from '../remaining-bounds.ts';
import { inUnits } from './in-units.ts';
import { ofPart } from './of-part.ts';
import { comesBack, type ToldRemaining, told } from './told-left.ts';

type Setting = { readonly deployment: Deployment; readonly stepped: ClockSteps };

/**
 * Admissions whose `Remaining` is less than a limit that does not roll, or is not alone, leaves: less than what passed after them, or
 * less than what nobody can have used.
 */
export function tooFewLeft(analysis: Analysis, setting: Setting): readonly Misfit[] {
  const below = belowWhatPassed(analysis, setting);
  return below.length > 0 ? below : belowUse(analysis, setting);
}

/** So much was surely admitted after an answer while no more than that came back: so much was left, whoever else uses the key. */
type PassedAfter = (entry: Entry) => {
  readonly units: number;
  readonly fromMs: number;
  readonly toMs: number;
};

function belowWhatPassed(analysis: Analysis, { deployment, stepped }: Setting): readonly Misfit[] {
  const { group } = analysis;
  const passedAfter = passedOf(analysis, deployment);
  if (passedAfter === null) return [];
  return told(group.admitted).flatMap((one) => {
    const { units, fromMs, toMs } = passedAfter(one.entry);
    return one.value < units && !stepped(fromMs, toMs) ? [tooLow(one, units, group)] : [];
  });
}

/** `null` where what comes back is not known. */
function passedOf({ group, promise }: Analysis, { document }: Deployment): PassedAfter | null {
  if (promise.kind === 'token-bucket') return passedFromBucket(group);
  // An outage that answers as the limit does says of no window that it was full.
  return promise.kind === 'fixed' && !refusesLikeOutage(document) ? passedInWindow(group) : null;
}

const nothingPassed = { units: 0, fromMs: 0, toMs: 0 };

/**
 * In a window that begins anew. Who is admitted after a refusal is so in a window that began in between; the next one begins a window
 * later. Requests of the cheapest alone are refused by a limit that is met for all.
 */
function passedInWindow(group: Group): PassedAfter {
  const { lows, highs } = boundsAdmitted(inUnits(countedGroup(group)).entries);
  const least = leastOf(group.entries.map(({ exchange }) => costOf(exchange)));
  const limited = group.limited
    .filter(({ exchange }) => costOf(exchange) === least)
    .sort((left, right) => left.highMs - right.highMs);
  const ended = Float64Array.from(limited, ({ highMs }) => highMs);
  let latestMs = Number.NEGATIVE_INFINITY;
  const latestSent = limited.map(({ lowMs }) => {
    latestMs = Math.max(latestMs, lowMs);
    return latestMs;
  });
  return ({ lowMs, highMs }) => {
    const fromMs = latestSent[countBelow(ended, lowMs) - 1];
    if (fromMs === undefined) return nothingPassed;
    const toMs = fromMs + windowMsAtLeast(group.windowMs);
    return { units: countBelow(highs, toMs) - countUpTo(lows, highMs), fromMs, toMs };
  };
}

/** From a bucket, into which tokens may come by the second. */
function passedFromBucket(group: Group): PassedAfter {
  const { lows, highs } = boundsAdmitted(inUnits(countedGroup(group)).entries);
  const backBy = (ms: number): number => comesBack(group, ms + bounds.granularityMs);
  // Of each moment, from which later one the most passed, less what came back by then.
  const [firstMs = 0] = highs;
  const best = new Int32Array(highs.length);
  const gain = (at: number): number => at + 1 - backBy((highs[at] as number) - firstMs);
  for (let at = highs.length - 1; at >= 0; at -= 1) {
    const later = best[at + 1];
    best[at] = later !== undefined && gain(later) >= gain(at) ? later : at;
  }
  return ({ lowMs, highMs }) => {
    const at = best[countUpTo(highs, highMs)];
    if (at === undefined) return nothingPassed;
    const toMs = highs[at] as number;
    const units = Math.floor(at + 1 - countUpTo(lows, highMs) - backBy(toMs - lowMs));
    return { units, fromMs: lowMs, toMs };
  };
}

/** In a window, and in the time in which a bucket gets back all that it holds, no more is used than was asked for in it. */
function belowUse(analysis: Analysis, { deployment, stepped }: Setting): readonly Misfit[] {
  const { group, promise, capStands } = analysis;
  // Under a cap the figure may be what remains of the second; others may have used the key.
  if (!deployment.exclusiveKeys || capStands) return [];
  const parts = promise.kind === 'several' ? promise.parts : [{ name: null, promise }];
  const leftBy = parts.map((part) => leastLeft(analysis, part, deployment));
  const fromMs = group.entries[0]?.lowMs ?? 0;
  return told(group.admitted).flatMap((one) => {
    // Of several limits, it may be what any of them leaves.
    const lowest = leastOf(leftBy.map((left) => left?.(one.entry) ?? 0));
    return one.value < lowest && !stepped(fromMs, one.entry.highMs) ? [tooLow(one, lowest, group)] : [];
  });
}

type Part = Pick<LimitPart, 'name' | 'of'> & { readonly promise: { readonly kind: PromiseKind } };

/** What an answer leaves of one limit at least; `null` where that may be anything. */
function leastLeft(
  analysis: Analysis,
  { name, of, promise }: Part,
  deployment: Deployment,
): ((entry: Entry) => number) | null {
  // Of other kinds less may be left, as of a limiter that spreads requests out; what is counted in an outer scope is not this one's alone.
  const isKnown = promise.kind === 'rolling' || promise.kind === 'fixed' || promise.kind === 'token-bucket';
  if (of !== undefined || !isKnown) return null;
  const part = ofPart(analysis, name, deployment).group;
  const allowedAt = remainingBounds(inUnits(countedGroup(part)), 'counted');
  return (entry) => {
    const { lowest } = allowedAt(entry);
    return entry.lowMs < part.settledMs ? 0 : lowest;
  };
}

function tooLow(one: ToldRemaining, lowest: number, { limit }: Group): Misfit {
  return { ...one, allowed: { lowest, highest: Math.max(lowest, limit - costOf(one.entry.exchange)) } };
}
