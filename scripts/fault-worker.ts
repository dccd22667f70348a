import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { killMatrix } from '../checks/faults/kill-matrix.ts';
import { faultSubjects, reference, variantSubjects } from '../checks/testing/fault-subjects.ts';

const { firstSeed, seeds } = z.object({ firstSeed: z.int(), seeds: z.int() }).parse(workerData);
const subjects = [reference, ...faultSubjects, ...variantSubjects];

for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
  parentPort?.postMessage(killMatrix({ subjects, reference, firstSeed: seed, seeds: 1 }));
}
