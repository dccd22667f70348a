import { countBelow, countUpTo } from './intervals.ts';

export type Sample = { readonly atMs: number; readonly value: number };

/** The difference between the greatest and the least value between two moments, both included; 0 where there is none. */
export type RangeOver = (fromMs: number, toMs: number) => number;

/** Values that are summed up as one. */
const blockLength = 256;

/** Answers for many spans of one long series: what lies between two blocks' ends is summed up once. */
export function rangeOver(samples: readonly Sample[]): RangeOver {
  const ordered = samples.toSorted((left, right) => left.atMs - right.atMs);
  const moments = new Float64Array(ordered.length);
  const values = new Float64Array(ordered.length);
  ordered.forEach((sample, at) => {
    moments[at] = sample.atMs;
    values[at] = sample.value;
  });
  const leasts: number[] = [];
  const greatests: number[] = [];
  for (let from = 0; from < values.length; from += blockLength) {
    const block = values.subarray(from, from + blockLength);
    leasts.push(Math.min(...block));
    greatests.push(Math.max(...block));
  }
  return (fromMs, toMs) => {
    const end = countUpTo(moments, toMs);
    let least = Number.POSITIVE_INFINITY;
    let greatest = Number.NEGATIVE_INFINITY;
    let at = countBelow(moments, fromMs);
    while (at < end) {
      const block = at / blockLength;
      const isWhole = Number.isInteger(block) && at + blockLength <= end;
      least = Math.min(least, (isWhole ? leasts[block] : values[at]) as number);
      greatest = Math.max(greatest, (isWhole ? greatests[block] : values[at]) as number);
      at += isWhole ? blockLength : 1;
    }
    return Math.max(0, greatest - least);
  };
}
