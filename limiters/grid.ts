/** A clock's grid: its boundaries are at `phaseMs + k · periodMs`, for every integer k. */
export type Grid = { readonly periodMs: number; readonly phaseMs: number };

/** @throws {RangeError} where the boundaries would be nowhere. */
export function checkGrid({ periodMs, phaseMs }: Grid): void {
  if (!Number.isFinite(periodMs) || periodMs <= 0) {
    throw new RangeError(`a grid's period must be longer than 0 ms, not ${periodMs}`);
  }
  if (!Number.isFinite(phaseMs)) throw new RangeError(`a grid's phase must be finite, not ${phaseMs}`);
}

/** The last boundary at or before `nowMs`. */
export function boundaryMs({ periodMs, phaseMs }: Grid, nowMs: number): number {
  const startMs = phaseMs + Math.floor((nowMs - phaseMs) / periodMs) * periodMs;
  // Division rounds: a moment less than a nanosecond from a boundary can land on its wrong side.
  if (startMs > nowMs) return startMs - periodMs;
  return startMs + periodMs <= nowMs ? startMs + periodMs : startMs;
}
