import type { Exchange } from '../../contract/exchange.ts';
import { admitted, type Given, limited } from './traces.ts';

/**
 * What a sliding window counter of four per minute answers at these moments, ms, if rejections count: one count for each
 * minute, that of the minute before by what the rolling one still has of it.
 */
export function counterAnswers(askedMs: readonly number[], given: Given = {}): readonly Exchange[] {
  const counted: number[] = [];
  return askedMs.map((ms) => {
    const startMs = Math.floor(ms / 60_000) * 60_000;
    const current = counted.filter((at) => at >= startMs).length;
    const before = counted.filter((at) => at >= startMs - 60_000 && at < startMs).length;
    counted.push(ms);
    const passes = current + before * (1 - (ms - startMs) / 60_000) < 4;
    return (passes ? admitted : limited)(ms, ms, given);
  });
}

/** Moments at which its answers look like those of a rolling window of 100 to 110 s. */
export const askedOfCounter: readonly number[] = [
  100, 120, 140, 160, 180, 200, 20_000, 40_000, 58_000, 62_000, 100_000, 110_000,
];
