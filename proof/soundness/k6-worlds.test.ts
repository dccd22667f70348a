/**
 * k6 in odd worlds, against conforming services: judged with what the runner saw of the clocks, its trace never proves a
 * violation.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWithinSkew, k6World, originMs, played, tied, violatedBy } from './k6-world.ts';

test.each([11, 22, 33])('nothing is violated (seed %i)', (seed) => {
  fc.assert(
    fc.property(k6World, (given) => {
      const violated = violatedBy(tied(played(given)));
      expect(violated.filter((clause) => clause !== 'headers.reset' || isWithinSkew(given))).toEqual([]);
    }),
    { numRuns: 500, seed },
  );
});

const sampled = fc.sample(k6World, { numRuns: 500, seed: 44 });

test('nor is anything without a look at the clocks: a wall clock alone proves nothing', () => {
  const misled = sampled.filter(isWithinSkew).flatMap((given) => violatedBy(played(given).trace));
  expect(misled).toEqual([]);
});

test('with looks that do not show the step, something is: the property can fail', () => {
  const misled = sampled.filter((given) => {
    const { trace } = played(given);
    const blind = [-100_000_000, 100_000_000].map(
      (atMs) =>
        ({ kind: 'clock', clock: 'undici', monotonicMs: originMs + atMs, wallMs: originMs + atMs }) as const,
    );
    return given.stepMs !== 0 && violatedBy({ ...trace, clockLines: blind }).length > 0;
  });
  expect(misled.length).toBeGreaterThan(10);
});

test('with each GET taken for sent once, something is: the property can fail', () => {
  const misled = sampled.filter((given) => {
    const trace = tied(played({ ...given, stepMs: 0 }));
    const once = trace.exchanges.map((exchange) => ({ ...exchange, sentOnce: true as const }));
    return violatedBy({ ...trace, exchanges: once }).length > 0;
  });
  expect(misled.length).toBeGreaterThan(10);
});
