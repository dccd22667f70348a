import { bounds, settledAfterMs } from '../contract/bounds.ts';
import { greatestOf, leastOf } from '../contract/extremes.ts';
import type { ClockSteps } from './clock-steps.ts';
import type { Entry, Group } from './entries.ts';
import { unexplainedCrowds } from './first-refused.ts';
import { type Holding, holdingOf } from './granularity.ts';
import { explainedLengths, type Lengths, type Reading, readings } from './lengths.ts';

/**
 * A reading of rejections, what kind of window explains the refusals under it, and the lengths of exact ones that explain
 * those refusals that come late enough for a window in whole seconds too.
 */
export type Fit = {
  readonly reading: Reading;
  readonly holding: Holding;
  readonly lengths: Lengths;
  /** Such refusals of which none can have been decided first, though a window explains each by itself; none where it explains all. */
  readonly crowd: readonly Entry[];
};

/** @param refusals those to be explained, all of them from `refusalsOfOwn`. */
export function fitsOf(group: Group, refusals: readonly Entry[]): readonly Fit[] {
  return explainingEach(group, refusals).map(({ fitted }) => fitted());
}

/** The readings of rejections that the trace leaves, with the lengths of window under each. */
export function standingFits(group: Group, refusals: readonly Entry[], stepped: ClockSteps): readonly Fit[] {
  return explainingEach(group, refusals).flatMap(({ lengths, fitted }) => {
    // What admitted too much need not be held against the refusals.
    if (tooShort(group, lengths) && !acrossStep(lengths.highBy(), group, stepped)) return [];
    const found = fitted();
    return isRefuted(group, found, stepped) ? [] : [found];
  });
}

/** What a reading says of the length alone, and how the rest of it fits. */
type Explaining = { readonly lengths: Lengths; readonly fitted: () => Fit };

function explainingEach(group: Group, refusals: readonly Entry[]): readonly Explaining[] {
  const late = refusals.filter((entry) => entry.lowMs >= group.settledMs);
  return readings.map((reading) => {
    const lengths = lengthsOf(group, reading, late);
    const fitted = (): Fit => {
      const crowd = tooLong(group, lengths) ? [] : crowdOf(group, reading, late);
      // One refusal alone is measured more closely than phases of parts are.
      const isExplained = !tooLong(group, lengths) && crowd.length === 0;
      const holding = isExplained ? holdingOf(group, reading, refusals) : 'none';
      return { reading, holding, lengths, crowd };
    };
    return { lengths, fitted };
  });
}

/** Whether a window of the documented length explains admissions and refusals, counting in parts of a second at most. */
export function isExplained(group: Group, { lengths, holding }: Fit): boolean {
  return !tooShort(group, lengths) && holding !== 'none';
}

/** Whether refusals refute a reading: only by proof that lies on one side of every step of this machine's clocks. */
function isRefuted(group: Group, { lengths, holding, crowd }: Fit, stepped: ClockSteps): boolean {
  if (holding !== 'none') return false;
  // One refusal alone can prove a window too long, or a crowd. Else all that was decided does: no phase of parts explains it together.
  const alone = tooLong(group, lengths) && lengths.lowBy !== null ? [lengths.lowBy] : crowd;
  const proof = alone.length > 0 ? alone : [...group.admitted, ...group.limited];
  return !acrossStep(proof, group, stepped);
}

/**
 * Whether the clocks of the client parted within a proof. A proof by refusals reaches back as far as a place may have been
 * held, in whole seconds too; an over-admission's from its first to its last admission. In a long proof two clocks may part
 * by more than they may from one of its requests to the next, so that is asked as well.
 */
export function acrossStep(proof: readonly Entry[], group: Group, stepped: ClockSteps): boolean {
  const fromMs = leastOf(proof.map((entry) => entry.lowMs));
  const toMs = greatestOf(proof.map((entry) => entry.highMs));
  const byRefusals = proof.every(({ exchange }) => exchange.outcome === 'limited');
  return (
    stepped(byRefusals ? fromMs - settledAfterMs(group.windowMs) : fromMs, toMs) ||
    proof
      .toSorted((left, right) => left.lowMs - right.lowMs)
      .some((entry, at, sorted) => at > 0 && stepped((sorted[at - 1] as Entry).lowMs, entry.highMs))
  );
}

/** Over-admission: even the shortest window of the documented length would have refused one of these. */
export function tooShort(group: Group, lengths: Lengths): boolean {
  return lengths.highMs < group.windowMs;
}

/** Wrongful 429: a window longer than documented, by more than whole-second counting explains. */
export function tooLong(group: Group, lengths: Lengths): boolean {
  return lengths.lowMs > group.windowMs + bounds.granularityMs;
}

/**
 * Refusals that no window of the documented length explains together, not even in whole seconds; the first crowd of them, none
 * where there is none. Where rejections do not count, none explains another, and each is judged by itself.
 */
function crowdOf(group: Group, reading: Reading, refusals: readonly Entry[]): readonly Entry[] {
  if (reading === 'not-counted') return [];
  const { limit, explaining: entries } = group;
  const windowMs = group.windowMs + bounds.granularityMs;
  return unexplainedCrowds({ limit, entries, refusals, windowMs })[0] ?? [];
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
