import type { Outcome } from '../simulation/outcome.ts';

/** A mean and its 95 % confidence interval. */
export type Mean = { readonly value: number; readonly low: number; readonly high: number };

/** The figures of a strategy in one situation, over all runs. */
export type Figures = {
  readonly runs: number;
  /** Until all jobs were done or lost, s. */
  readonly makespanSeconds: Mean;
  /** The same over the lower bound of each run. */
  readonly overBound: Mean;
  /** 429s for each job that was done. */
  readonly wasted: Mean;
  /** 429s in all, the mean. */
  readonly refusals: number;
  /** Means: retries before their time, jobs that were lost, seconds until half and 99 of 100 jobs were done. */
  readonly early: number;
  readonly lostJobs: number;
  readonly p50Seconds: number;
  readonly p99Seconds: number;
  /** Jain's index of the clients' throughputs, the mean. */
  readonly fairness: number;
  /** Most of all runs: arrivals in 100 ms, requests for one job. */
  readonly peak: number;
  readonly attemptsMax: number;
};

export type PlayedRun = { readonly outcome: Outcome; readonly boundMs: number };

/** The figures of some runs of one situation; at least one. */
export function figuresOf(played: readonly PlayedRun[]): Figures {
  const each = (figure: (one: PlayedRun) => number): readonly number[] => played.map(figure);
  return {
    runs: played.length,
    makespanSeconds: meanOf(each(({ outcome }) => outcome.makespanMs / 1_000)),
    overBound: meanOf(each(({ outcome, boundMs }) => outcome.makespanMs / boundMs)),
    wasted: meanOf(each(({ outcome }) => outcome.wasted)),
    refusals: average(each(({ outcome }) => outcome.limited)),
    early: average(each(({ outcome }) => outcome.early)),
    lostJobs: average(each(({ outcome }) => outcome.lostJobs)),
    p50Seconds: average(each(({ outcome }) => outcome.p50Ms / 1_000)),
    p99Seconds: average(each(({ outcome }) => outcome.p99Ms / 1_000)),
    fairness: average(each(({ outcome }) => outcome.fairness)),
    peak: Math.max(...each(({ outcome }) => outcome.peak)),
    attemptsMax: Math.max(...each(({ outcome }) => outcome.attemptsMax)),
  };
}

/** The mean of some values and where it lies with 95 % confidence, by Student's t; of one value nothing is known but itself. */
export function meanOf(values: readonly number[]): Mean {
  const value = average(values);
  if (values.length < 2 || !Number.isFinite(value)) return { value, low: value, high: value };
  const variance = values.reduce((sum, one) => sum + (one - value) ** 2, 0) / (values.length - 1);
  const half = studentT(values.length - 1) * Math.sqrt(variance / values.length);
  return { value, low: value - half, high: value + half };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The two-sided 95 % quantile, from five values on to a percent: the normal one, widened as Cornish and Fisher do (1937). */
function studentT(freedom: number): number {
  const z = 1.959964;
  const first = (z ** 3 + z) / (4 * freedom);
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2);
  return z + first + second;
}
