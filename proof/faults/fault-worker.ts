import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { senderMatrix } from '../webhooks/sender-matrix.ts';
import { faultSubjects, reference, variantSubjects } from './fault-subjects.ts';
import { killMatrix } from './kill-matrix.ts';

const { firstSeed, seeds } = z.object({ firstSeed: z.int(), seeds: z.int() }).parse(workerData);
const subjects = [reference, ...faultSubjects, ...variantSubjects];

for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
  const api = killMatrix({ subjects, reference, firstSeed: seed, seeds: 1 });
  parentPort?.postMessage({ api, webhooks: senderMatrix(seed, 1) });
}
