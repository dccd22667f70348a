import { bounds } from '../contract/bounds.ts';

/** The earliest and the latest that the service's clock can have read at a moment of ours, if both read 0 at a first one. */
export type ServiceTime = {
  readonly earliest: (ms: number) => number;
  readonly latest: (ms: number) => number;
};

/** What a clock within the stated bounds reads, ms since `firstMs`. Both are ascending in the moment. */
export function serviceTimeFrom(firstMs: number): ServiceTime {
  const driftMs = (ms: number): number => Math.abs(ms - firstMs) * bounds.clockRate;
  return {
    earliest: (ms) => ms - firstMs - driftMs(ms) - bounds.clockResolutionMs,
    latest: (ms) => ms - firstMs + driftMs(ms),
  };
}
