import { type Ascending, nearestRank, sortedCopy } from '../../contract/nearest-rank.ts';
import type { Trial } from './trial.ts';

/** What became of one class at one limit, over many seeds. */
export type Row = {
  readonly name: string;
  readonly limit: number;
  readonly runs: number;
  readonly alone: number;
  readonly tied: number;
  /** Runs in which another limiter was named that would have decided each of their requests alike: no difference to detect. */
  readonly alike: number;
  readonly missed: number;
  /** What was said that is not the truth alone, with the seeds that play it again. */
  readonly instead: Readonly<Record<string, readonly number[]>>;
  readonly wrongLimits: number;
  /** Lengths whose likeliest value was more than 0.2 s off, and intervals that did not hold the truth. */
  readonly wrongLengths: number;
  readonly dishonestIntervals: number;
  readonly windowErrorSecondsMax: number;
  readonly intervalSecondsMedian: number | null;
  readonly identifyMsMedian: number;
  readonly identifyMsP99: number;
  readonly requestsMax: number;
  readonly secondsMedian: number;
  readonly secondsMax: number;
};

/** Beyond this a length that can be known exactly counts as wrong, s. */
const exactSeconds = 0.2;

export function rowOf(named: Pick<Row, 'name' | 'limit'>, trials: readonly Trial[]): Row {
  const found = trials.filter(({ truth }) => truth === 'alone' || truth === 'tied');
  const alike = trials.filter(({ truth }) => truth === 'alike').length;
  const errors = found.map(({ windowErrorSeconds }) =>
    Math.abs(windowErrorSeconds ?? Number.POSITIVE_INFINITY),
  );
  const instead: Record<string, number[]> = {};
  for (const trial of trials) {
    for (const what of untruths(trial)) instead[what] = [...(instead[what] ?? []), trial.seed];
  }
  const times = sortedCopy(trials.map(({ identifyMs }) => identifyMs));
  const spans = sortedCopy(trials.map(({ seconds }) => seconds));
  const widths = sortedCopy(found.map(({ intervalSeconds }) => intervalSeconds ?? Number.POSITIVE_INFINITY));
  const median = at(widths, 50);
  return {
    ...named,
    runs: trials.length,
    alone: trials.filter(({ truth }) => truth === 'alone').length,
    tied: trials.filter(({ truth }) => truth === 'tied').length,
    alike,
    missed: trials.length - found.length - alike,
    instead,
    wrongLimits: found.filter(({ limitError }) => limitError !== 0).length,
    wrongLengths: errors.filter((error) => error > exactSeconds).length,
    dishonestIntervals: found.filter(({ intervalHolds }) => !intervalHolds).length,
    windowErrorSecondsMax: Math.max(0, ...errors),
    intervalSecondsMedian: Number.isFinite(median) ? median : null,
    identifyMsMedian: at(times, 50),
    identifyMsP99: at(times, 99),
    requestsMax: Math.max(...trials.map(({ requests }) => requests)),
    secondsMedian: at(spans, 50),
    secondsMax: at(spans, 100),
  };
}

function untruths({
  truth,
  answer,
  limitError,
  windowErrorSeconds,
  intervalHolds,
}: Trial): readonly string[] {
  if (truth === 'missed') return [answer];
  if (truth === 'alike') return [`${answer}, which decides alike`];
  return [
    ...(truth === 'tied' ? [answer] : []),
    ...(limitError === 0 ? [] : [`limit off by ${limitError}`]),
    ...(Math.abs(windowErrorSeconds ?? 0) > exactSeconds ? [`window more than ${exactSeconds} s off`] : []),
    ...(intervalHolds ? [] : ['interval without the truth']),
  ];
}

function at(values: Ascending, percent: number): number {
  return nearestRank(values, percent) ?? Number.NaN;
}

/** The share of runs in which the truth has to be named, the limit right, the interval honest. */
const shareMin = 0.99;

/** Which targets a row misses, each as a sentence; none where all are met. */
export function problemsOf(row: Row, length: 'exact' | 'interval' | 'none'): readonly string[] {
  const isTooMany = (wrong: number): boolean => wrong > (1 - shareMin) * row.runs;
  const where = `${row.name}, ${row.limit}`;
  const problems: string[] = [];
  if (isTooMany(row.missed)) problems.push(`${where}: not named in ${row.missed} of ${row.runs} runs`);
  if (isTooMany(row.wrongLimits)) problems.push(`${where}: ${row.wrongLimits} wrong limits`);
  if (length === 'exact' && isTooMany(row.wrongLengths))
    problems.push(`${where}: ${row.wrongLengths} windows more than ${exactSeconds} s off`);
  if (isTooMany(row.dishonestIntervals))
    problems.push(`${where}: ${row.dishonestIntervals} intervals without the truth`);
  return problems;
}
