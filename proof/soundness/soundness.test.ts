import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentedLimits, documentedWindowMs } from '../../contract/scopes.ts';
import { variants } from '../../service/faults.ts';
import { offlineService } from '../../service/offline.ts';
import { hostileRun } from './hostile-run.ts';
import { hostileSetting } from './hostile-world.ts';

const rates = { limits: documentedLimits, windowMs: documentedWindowMs };

const conforming = [
  { start: () => offlineService({ ...rates, faults: [] }) },
  ...variants.map((variant) => ({
    start: () => offlineService({ ...rates, faults: [variant] }),
    perSecond: variant.setting?.perSecond,
  })),
];

/** Seeds are fixed, so that a run in CI is the same everywhere; `npm run soundness` takes others. */
test.each([101, 202, 303, 404])(
  'no conforming service is ever called violated, whatever network and clocks do (seed %i)',
  { timeout: 240_000 },
  (seed) => {
    fc.assert(
      fc.property(hostileSetting(conforming.length), (setting) => {
        expect(hostileRun(setting, conforming).violated).toEqual([]);
      }),
      { numRuns: 5_000, seed },
    );
  },
);
