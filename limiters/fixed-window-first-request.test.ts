import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixedWindowFirstRequest } from './fixed-window-first-request.ts';
import type { Rate } from './limiter.ts';
import { admissions, epochMs, moments, rates } from './testing/histories.ts';

/** Cuts the history at the first request of each window. */
function plainly({ limit, windowMs }: Rate, requestsMs: readonly number[]): readonly boolean[] {
  const [firstMs] = requestsMs;
  if (firstMs === undefined) return [];
  const inside = requestsMs.filter((atMs) => atMs < firstMs + windowMs);
  const later = requestsMs.slice(inside.length);
  return [...inside.map((_, index) => index < limit), ...plainly({ limit, windowMs }, later)];
}

describe('fixed window from the first request', () => {
  it('admits the first requests of each window', () => {
    fc.assert(
      fc.property(rates, moments, (rate, requestsMs) => {
        expect(admissions(fixedWindowFirstRequest(rate), requestsMs)).toEqual(plainly(rate, requestsMs));
      }),
    );
  });

  it('lets nearly twice the limit pass around the end of a window', () => {
    const atMs = [0, 59_998, 59_999, 60_000, 60_001, 60_002, 60_003].map((ms) => epochMs + 123 + ms);
    expect(admissions(fixedWindowFirstRequest({ limit: 3, windowMs: 60_000 }), atMs)).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('is idle when the window ends', () => {
    const limiter = fixedWindowFirstRequest({ limit: 3, windowMs: 500 });
    const window = limiter.start();
    limiter.decide(window, epochMs + 7);
    limiter.decide(window, epochMs + 300);
    expect(limiter.idleFromMs(window)).toBe(epochMs + 507);
  });
});
