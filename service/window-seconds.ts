import type { Rate } from '../limiters/limiter.ts';

/**
 * A window as answers tell it. It may be a quotient, whose last bits would make one of 250 s longer than that; what counts
 * keeps them, since a window that the clock begins lies where all those since 1970 end.
 */
export function windowSeconds({ windowMs }: Rate): number {
  return Math.round(windowMs * 1_000) / 1e6;
}
