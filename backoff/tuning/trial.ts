import { simulate } from '../simulate.ts';
import { lowerBoundMs } from '../simulation/lower-bound.ts';
import type { Setting } from '../simulation/setting.ts';
import type { AnyStrategy } from '../strategies.ts';
import type { Random } from '../strategy.ts';
import type { FamilyName, Parameters } from './families.ts';
import { type Figures, figuresOf, type PlayedRun } from './figures.ts';

/** What the backlog finds: an idle key, one that others have just used up, or all jobs sent at the same moment. */
export const situationNames = ['cold', 'warm', 'all-at-once'] as const;

export type SituationName = (typeof situationNames)[number];

export type Situation = { readonly name: SituationName; readonly setting: Setting };

/** A strategy that is tried: one of ours with its parameters, or one in use today. */
export type Candidate = {
  readonly name: string;
  readonly family: FamilyName | null;
  /** Whether the document asks clients to do so. */
  readonly isAsked: boolean;
  readonly parameters: Parameters;
  readonly strategy: AnyStrategy;
};

/** A candidate and its runs so far, situation by situation. */
export type Trial = { readonly candidate: Candidate; readonly played: readonly PlayedRun[][] };

/** Random numbers from a seed. */
export type Seeded = (seed: number) => Random;

export type Budget = {
  /** Runs of each situation, counted with those there are already. */
  readonly runs: number;
  /** No further run of a situation is begun once its runs have had this many events. */
  readonly events: number;
};

/** Fewer runs than this say nothing, whatever they cost. */
const runsMin = 3;

export function newTrial(candidate: Candidate, situations: readonly Situation[]): Trial {
  return { candidate, played: situations.map(() => []) };
}

/**
 * Plays a candidate until its budget is spent. Run `n` begins at the same moment of the minute and with the same seed for
 * every candidate, so that they are compared under the same luck.
 */
export function play(trial: Trial, situations: readonly Situation[], seeded: Seeded, budget: Budget): void {
  situations.forEach(({ setting }, at) => {
    const played = trial.played[at] ?? [];
    let events = played.reduce((sum, { outcome }) => sum + outcome.events, 0);
    for (let run = played.length; run < budget.runs; run += 1) {
      if (run >= Math.min(runsMin, budget.runs) && events >= budget.events) return;
      const begun = { ...setting, startMs: setting.startMs + run * strideMs };
      const outcome = simulate(begun, trial.candidate.strategy, seeded(run + 1));
      events += outcome.events;
      played.push({ outcome, boundMs: lowerBoundMs(begun) });
    }
  });
}

/** From one run to the next: prime, so that runs begin all over the second and the minute. */
const strideMs = 7_919;

/** The figures of a trial, situation by situation. */
export function figuresIn(trial: Trial): readonly Figures[] {
  return trial.played.map(figuresOf);
}
