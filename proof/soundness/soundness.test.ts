import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conformingServices, hostileRun } from './hostile-run.ts';
import { hostileSetting } from './hostile-world.ts';

/** Seeds are fixed, so that a run in CI is the same everywhere; `npm run soundness` takes others. */
test.each([101, 202, 303, 404])(
  'no conforming service is ever called violated, whatever network and clocks do (seed %i)',
  { timeout: 240_000 },
  (seed) => {
    fc.assert(
      fc.property(hostileSetting(conformingServices.length), (setting) => {
        expect(hostileRun(setting, conformingServices).violated).toEqual([]);
      }),
      { numRuns: 800, seed },
    );
  },
);
