import { countBelow, countUpTo } from './counting.ts';

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
  const blocks = Math.ceil(ordered.length / blockLength);
  const leasts = new Float64Array(blocks).fill(Number.POSITIVE_INFINITY);
  const greatests = new Float64Array(blocks).fill(Number.NEGATIVE_INFINITY);
  for (let at = 0; at < ordered.length; at += 1) {
    const { atMs, value } = ordered[at] as Sample;
    moments[at] = atMs;
    values[at] = value;
    const block = Math.floor(at / blockLength);
    leasts[block] = Math.min(leasts[block] as number, value);
    greatests[block] = Math.max(greatests[block] as number, value);
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
