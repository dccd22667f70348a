import type { SituationName } from './trial.ts';
import type { Tuning } from './tuning.ts';

/** What the recommendation saves against something in use today, in one situation; less than 0 is what it costs. */
export type Saving = {
  readonly against: string;
  readonly situation: SituationName;
  /** `null` where the other loses jobs: to do less is no way of being sooner. */
  readonly seconds: number | null;
  /** 429s, all in all. */
  readonly refusals: number;
  readonly earlyRetries: number;
  readonly lostJobs: number;
};

/** The recommendation against each rival, situation by situation. */
export function savingsOf({ ranking, recommended, situations }: Tuning): readonly Saving[] {
  const rivals = ranking.filter(({ trial }) => trial.candidate.family === null);
  return rivals.flatMap(({ trial, figures }) =>
    situations.flatMap(({ name }, at) => {
      const [theirs, ours] = [figures[at], recommended.figures[at]];
      if (theirs === undefined || ours === undefined) return [];
      return [
        {
          against: trial.candidate.name,
          situation: name,
          seconds: theirs.lostJobs > 0 ? null : theirs.makespanSeconds.value - ours.makespanSeconds.value,
          refusals: theirs.refusals - ours.refusals,
          earlyRetries: theirs.early - ours.early,
          lostJobs: theirs.lostJobs - ours.lostJobs,
        },
      ];
    }),
  );
}
