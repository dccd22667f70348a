import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostilePromise, promiseSetting } from './hostile-promise.ts';

// `npm run soundness -- --promises 100000` plays as many as one has time for.
test('a limiter that keeps its promise is never called violated, whatever network and clocks do', () => {
  fc.assert(
    fc.property(promiseSetting, (setting) => {
      expect(hostilePromise(setting).violated).toEqual([]);
    }),
    { numRuns: 300, seed: 20_261_123 },
  );
});
