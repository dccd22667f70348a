import fc from 'fast-check';
import type { Limiter, Rate } from '../limiter.ts';

/** A whole minute of the wall clock, late enough for epoch milliseconds. */
export const epochMs = 28_333_333 * 60_000;

export const rates: fc.Arbitrary<Rate> = fc.record({
  limit: fc.integer({ min: 1, max: 12 }),
  windowMs: fc.oneof(fc.integer({ min: 4, max: 400 }), fc.constantFrom(1_000, 2_000)),
});

/** Phases of a grid, before the epoch and after it. */
export const phases = fc.integer({ min: -5_000, max: 5_000 });

/**
 * Moments that do not go back: many at once, many about one window apart, some after long silence. Eighths of a
 * millisecond keep all sums exact.
 */
export const moments: fc.Arbitrary<readonly number[]> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 64 }) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: 8_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 5 }).map((k) => k * 1_000) },
    ),
    { minLength: 1, maxLength: 80, size: 'max' },
  )
  .map((steps) => {
    let eighths = 0;
    return steps.map((step) => {
      eighths += step;
      return epochMs + eighths / 8;
    });
  });

/** The limiter's decision about each request. */
export function admissions<State>(
  limiter: Limiter<State>,
  requestsMs: readonly number[],
): readonly boolean[] {
  const state = limiter.start();
  return requestsMs.map((nowMs) => limiter.decide(state, nowMs).admitted);
}

/** How many requests would be admitted at this moment, found by trying; the state stays as it is. */
export function capacity<State>(limiter: Limiter<State>, state: State, nowMs: number): number {
  const copy = copyOf(state);
  let admitted = 0;
  while (limiter.decide(copy, nowMs).admitted) admitted += 1;
  return admitted;
}

/** A deep copy of plain data, as `structuredClone` makes one, in a tenth of its time: a law asks for thousands. */
function copyOf<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf) as Value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value);
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) copy[name] = copyOf((value as Record<string, unknown>)[name]);
  return copy as Value;
}
