import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { documentedLimits, documentedWindowMs } from '../../contract/scopes.ts';
import { variants } from '../../service/faults.ts';
import { offlineService } from '../../service/offline.ts';
import { campaign } from './campaign.ts';

const { runs, seed } = z.object({ runs: z.int(), seed: z.int() }).parse(workerData);
const rates = { limits: documentedLimits, windowMs: documentedWindowMs };

const result = campaign({
  runs,
  seed,
  services: [
    { start: () => offlineService({ ...rates, faults: [] }) },
    ...variants.map((variant) => ({
      start: () => offlineService({ ...rates, faults: [variant] }),
      perSecond: variant.setting?.perSecond,
    })),
  ],
  onProgress: (done) => parentPort?.postMessage({ kind: 'progress', runs: done }),
});
parentPort?.postMessage({ kind: 'result', result });
