#!/usr/bin/env node
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { UsageError } from '../../contract/usage-error.ts';
import type { CampaignResult } from './campaign.ts';

/**
 * `npm run soundness -- --runs N --seed S`: plays conforming services in hostile worlds, on all cores, and counts the
 * `must` clauses called violated. Exit status 0 only if that is none.
 */
async function main(): Promise<number> {
  const { runs, seed } = settled();
  const workers = Math.min(availableParallelism(), Math.ceil(runs / 1_000));
  const began = performance.now();
  const share = Math.ceil(runs / workers);
  const done = Array.from({ length: workers }, () => 0);
  const results = await Promise.all(
    done.map((_, at) => {
      const own = Math.min(share, runs - at * share);
      // Seeds of batches must not overlap between workers.
      return inWorker({ runs: own, seed: seed + at * 1_000_000 }, (count) => {
        done[at] = count;
        showProgress(
          done.reduce((sum, one) => sum + one, 0),
          runs,
          began,
        );
      });
    }),
  );
  if (process.stderr.isTTY) process.stderr.write('\n');
  return report(results, { seed, seconds: (performance.now() - began) / 1_000, workers });
}

function settled(): { readonly runs: number; readonly seed: number } {
  const { values } = parseArgs({
    options: { runs: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
  });
  const runs = Number(values.runs);
  const seed = Number(values.seed);
  if (!Number.isInteger(runs) || runs < 1)
    throw new UsageError(`--runs takes a whole number from 1, not ${values.runs}.`);
  if (!Number.isInteger(seed) || seed < 0)
    throw new UsageError(`--seed takes a whole number from 0, not ${values.seed}.`);
  return { runs, seed };
}

type Message =
  | { readonly kind: 'progress'; readonly runs: number }
  | { readonly kind: 'result'; readonly result: CampaignResult };

function inWorker(
  workerData: { readonly runs: number; readonly seed: number },
  onProgress: (runs: number) => void,
): Promise<CampaignResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./soundness-worker.ts', import.meta.url), { workerData });
    worker.on('error', reject);
    worker.on('message', (message: Message) => {
      if (message.kind === 'progress') onProgress(message.runs);
      else resolve(message.result);
    });
  });
}

function showProgress(done: number, runs: number, began: number): void {
  if (!process.stderr.isTTY) return;
  const perSecond = done / ((performance.now() - began) / 1_000);
  process.stderr.write(
    `\r${done} of ${runs} runs, ${perSecond.toFixed(0)} a second, ${((runs - done) / perSecond).toFixed(0)} s left  `,
  );
}

type Circumstances = { readonly seed: number; readonly seconds: number; readonly workers: number };

function report(results: readonly CampaignResult[], { seed, seconds, workers }: Circumstances): number {
  const sum = (of: (result: CampaignResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0);
  const runs = sum((result) => result.runs);
  const wrong = sum((result) => result.falseVerdictsTotal);
  const inconclusive = sum((result) => result.inconclusive) / sum((result) => result.judged);
  console.log(`runs              ${runs} (seed ${seed}), each one scope's whole run in a hostile world`);
  console.log(`false verdicts    ${wrong}`);
  console.log(
    `inconclusive      ${(100 * inconclusive).toFixed(1)} % of the must clauses that a run could judge`,
  );
  console.log(`rate              ${(runs / seconds).toFixed(0)} runs a second on ${workers} cores`);
  for (const { setting, violated } of results.flatMap((result) => result.falseVerdicts)) {
    console.log(`violated ${violated.join(', ')} under ${JSON.stringify(setting)}`);
  }
  return wrong === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof UsageError ? 2 : 4;
}
