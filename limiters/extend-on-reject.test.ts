import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extendOnReject } from './extend-on-reject.ts';
import type { Rate } from './limiter.ts';
import { admissions, epochMs, moments, rates } from './testing/histories.ts';

/** The first `limit` requests after each silence of a window. */
function sinceSilence({ limit, windowMs }: Rate, requestsMs: readonly number[]): readonly boolean[] {
  let position = 0;
  return requestsMs.map((nowMs, index) => {
    const silentMs = nowMs - (requestsMs[index - 1] ?? Number.NEGATIVE_INFINITY);
    position = silentMs >= windowMs ? 0 : position + 1;
    return position < limit;
  });
}

/** Windows from the first request, and a block of its own that each rejection sets anew. */
function blocking({ limit, windowMs }: Rate) {
  let blockedUntilMs = Number.NEGATIVE_INFINITY;
  let admittedMs: readonly number[] = [];
  return (nowMs: number): boolean => {
    const firstMs = admittedMs[0] ?? Number.NEGATIVE_INFINITY;
    const blocked = nowMs < blockedUntilMs;
    if (!blocked && (blockedUntilMs > firstMs || firstMs + windowMs <= nowMs)) {
      admittedMs = [];
      blockedUntilMs = Number.NEGATIVE_INFINITY;
    }
    const admitted = !blocked && admittedMs.length < limit;
    if (admitted) admittedMs = [...admittedMs, nowMs];
    else blockedUntilMs = nowMs + windowMs;
    return admitted;
  };
}

describe('extend on reject', () => {
  it('blocks for a window from the last rejected request', () => {
    fc.assert(
      fc.property(rates, moments, (rate, requestsMs) => {
        expect(admissions(extendOnReject(rate), requestsMs)).toEqual(requestsMs.map(blocking(rate)));
      }),
    );
  });

  it('extended by any request: admits only the first requests after a silence', () => {
    fc.assert(
      fc.property(rates, moments, (rate, requestsMs) => {
        expect(admissions(extendOnReject(rate, { extendedBy: 'any-request' }), requestsMs)).toEqual(
          sinceSilence(rate, requestsMs),
        );
      }),
    );
  });

  // Two places: the second is taken half a window after the first.
  it.each([
    { extendedBy: 'rejection', rejectedMs: [], admitsFromMs: 60_000 },
    { extendedBy: 'rejection', rejectedMs: [40_000, 99_999], admitsFromMs: 159_999 },
    { extendedBy: 'any-request', rejectedMs: [], admitsFromMs: 90_000 },
    { extendedBy: 'any-request', rejectedMs: [40_000, 99_999], admitsFromMs: 159_999 },
  ] as const)('extended by $extendedBy after $rejectedMs: from $admitsFromMs ms on', (example) => {
    const limiter = extendOnReject({ limit: 2, windowMs: 60_000 }, example);
    const window = limiter.start();
    for (const atMs of [0, 30_000, ...example.rejectedMs]) limiter.decide(window, epochMs + atMs);
    expect(limiter.idleFromMs(window)).toBe(epochMs + example.admitsFromMs);
    expect(limiter.decide(window, epochMs + example.admitsFromMs).admitted).toBe(true);
  });
});
