import type { Trial } from './matrix.ts';

/** What became of one class at one limit, over many seeds. */
export type Row = {
  readonly name: string;
  readonly limit: number;
  readonly runs: number;
  readonly alone: number;
  readonly tied: number;
  readonly missed: number;
  /** What was said instead, and how often. */
  readonly instead: Readonly<Record<string, number>>;
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
  const found = trials.filter(({ truth }) => truth !== 'missed');
  const errors = found.map(({ windowErrorSeconds }) =>
    Math.abs(windowErrorSeconds ?? Number.POSITIVE_INFINITY),
  );
  const instead: Record<string, number> = {};
  for (const { answer, truth } of trials) {
    if (truth !== 'alone') instead[answer] = (instead[answer] ?? 0) + 1;
  }
  const times = ascending(trials.map(({ identifyMs }) => identifyMs));
  const spans = ascending(trials.map(({ seconds }) => seconds));
  const widths = ascending(found.map(({ intervalSeconds }) => intervalSeconds ?? Number.POSITIVE_INFINITY));
  const median = at(widths, 0.5);
  return {
    ...named,
    runs: trials.length,
    alone: trials.filter(({ truth }) => truth === 'alone').length,
    tied: trials.filter(({ truth }) => truth === 'tied').length,
    missed: trials.length - found.length,
    instead,
    wrongLimits: found.filter(({ limitError }) => limitError !== 0).length,
    wrongLengths: errors.filter((error) => error > exactSeconds).length,
    dishonestIntervals: found.filter(({ intervalHolds }) => !intervalHolds).length,
    windowErrorSecondsMax: Math.max(0, ...errors),
    intervalSecondsMedian: Number.isFinite(median) ? median : null,
    identifyMsMedian: at(times, 0.5),
    identifyMsP99: at(times, 0.99),
    requestsMax: Math.max(...trials.map(({ requests }) => requests)),
    secondsMedian: at(spans, 0.5),
    secondsMax: at(spans, 1),
  };
}

function ascending(values: readonly number[]): readonly number[] {
  return [...values].sort((left, right) => left - right);
}

function at(values: readonly number[], share: number): number {
  return values[Math.min(values.length - 1, Math.floor(share * values.length))] ?? Number.NaN;
}

/** The share of runs in which the truth has to be named, the limit right, the interval honest. */
const shareMin = 0.99;

/** Which targets a row misses, each as a sentence; none where all are met. */
export function problemsOf(row: Row, length: 'exact' | 'interval' | 'none'): readonly string[] {
  const enough = (good: number): boolean => good >= shareMin * row.runs;
  const named = row.alone + row.tied;
  const where = `${row.name}, ${row.limit}`;
  const problems: string[] = [];
  if (!enough(named)) problems.push(`${where}: named in ${named} of ${row.runs} runs`);
  if (!enough(named - row.wrongLimits)) problems.push(`${where}: ${row.wrongLimits} wrong limits`);
  if (length === 'exact' && !enough(named - row.wrongLengths))
    problems.push(`${where}: ${row.wrongLengths} windows more than ${exactSeconds} s off`);
  if (!enough(named - row.dishonestIntervals))
    problems.push(`${where}: ${row.dishonestIntervals} intervals without the truth`);
  return problems;
}
