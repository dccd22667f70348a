import { describe, expect, it } from 'vitest';
import { families } from './families.ts';
import { gridOf, neighboursOf } from './grid.ts';

const facts = { rate: { limit: 300, windowMs: 60_000 }, clients: 20, processes: 4 };

describe('grid', () => {
  it.each(families.map((family) => [family.name, family] as const))(
    '%s: combinations that differ, each of which can be built',
    (_name, family) => {
      const grid = gridOf(family, facts);
      expect(grid.length).toBeGreaterThan(0);
      expect(new Set(grid.map((one) => JSON.stringify(one))).size).toBe(grid.length);
      for (const parameters of grid) {
        const { jitterMs = 0, baseMs = 0, capMs = Number.POSITIVE_INFINITY } = parameters;
        expect(capMs).toBeGreaterThanOrEqual(Math.max(jitterMs, baseMs));
        expect(family.build(parameters, facts).heedsRetryAfter).toBe(true);
      }
    },
  );

  it('steps to both sides of each parameter, to values that a person would write', () => {
    expect(neighboursOf({ jitterMs: 1_000, growth: 2 }, 1.5)).toEqual([
      { jitterMs: 1_500, growth: 2 },
      { jitterMs: 670, growth: 2 },
      { jitterMs: 1_000, growth: 3 },
      { jitterMs: 1_000, growth: 1.5 },
    ]);
    expect(neighboursOf({ sharers: 1, below: 1 }, 2)).toContainEqual({ sharers: 1, below: 1 });
  });
});
