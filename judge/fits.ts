import { bounds } from '../contract/bounds.ts';
import { greatestOf, leastOf } from '../contract/extremes.ts';
import type { ClockSteps } from './clock-steps.ts';
import type { Entry, Group } from './entries.ts';
import { explainedLengths, type Lengths, type Reading, readings } from './lengths.ts';

/** A reading of rejections, and the lengths of window that explain a group under it. */
export type Fit = { readonly reading: Reading; readonly lengths: Lengths };

export function fitsOf(group: Group, refusals: readonly Entry[]): readonly Fit[] {
  return readings.map((reading) => ({ reading, lengths: lengthsOf(group, reading, refusals) }));
}

/** The readings of rejections that the trace leaves, with the lengths of window under each. */
export function standingFits(group: Group, refusals: readonly Entry[], stepped: ClockSteps): readonly Fit[] {
  return fitsOf(group, refusals).filter((fit) => !isRefuted(group, fit, stepped));
}

/** A reading is refuted only by proof that lies on one side of every step of this machine's clocks. */
function isRefuted(group: Group, { lengths }: Fit, stepped: ClockSteps): boolean {
  const refusal = lengths.lowBy === null ? [] : [lengths.lowBy];
  return (
    (tooShort(group, lengths) && !acrossStep(lengths.highBy, group, stepped)) ||
    (tooLong(group, lengths) && !acrossStep(refusal, group, stepped))
  );
}

/** A refusal's proof reaches back one window; an over-admission's from its first to its last admission. */
export function acrossStep(proof: readonly Entry[], group: Group, stepped: ClockSteps): boolean {
  const fromMs = leastOf(proof.map((entry) => entry.lowMs));
  const toMs = greatestOf(proof.map((entry) => entry.highMs));
  return stepped(proof.length === 1 ? fromMs - group.windowMs : fromMs, toMs);
}

/** Over-admission: even the shortest window of the documented length would have refused one of these. */
export function tooShort(group: Group, lengths: Lengths): boolean {
  return lengths.highMs < group.windowMs;
}

/** Wrongful 429: a window longer than documented, by more than whole-second counting explains. */
export function tooLong(group: Group, lengths: Lengths): boolean {
  return lengths.lowMs > group.windowMs + bounds.granularityMs;
}

export function judgedRefusals(group: Group): readonly Entry[] {
  return group.limited.filter((entry) => entry.lowMs >= group.settledMs);
}

export function lengthsOf(
  group: Group,
  reading: Reading,
  refusals: readonly Entry[],
  limit = group.limit,
): Lengths {
  return explainedLengths({ limit, entries: group.explaining, reading, refusals });
}
