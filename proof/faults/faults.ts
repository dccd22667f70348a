#!/usr/bin/env node
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { clauses } from '../../contract/clauses/registry.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { webhookClauses } from '../../contract/webhooks/clauses.ts';
import { mergedSenders, type SenderRow } from '../webhooks/sender-matrix.ts';
import { type KillMatrix, merged } from './kill-matrix.ts';
import { matrixText } from './matrix-text.ts';
import { missesOf, problemsOf, unprovedClauses } from './problems.ts';

/**
 * `npm run faults -- --seeds N`: plays every fault and every variant in virtual time, once with each seed, on all cores,
 * and prints which clause catches which. Exit status 0 only if each fault is caught, and nothing else is said.
 */
async function main(): Promise<number> {
  const { seeds, firstSeed, isJson } = settled();
  const workers = Math.min(availableParallelism(), seeds);
  const share = Math.ceil(seeds / workers);
  const began = performance.now();
  const parts: Part[] = [];
  const starts = Array.from({ length: workers }, (_, at) => at * share).filter((start) => start < seeds);
  await Promise.all(
    starts.map((start) =>
      inWorker({ firstSeed: firstSeed + start, seeds: Math.min(share, seeds - start) }, (part) => {
        parts.push(part);
        if (process.stderr.isTTY) process.stderr.write(`\r${parts.length} of ${seeds} seeds  `);
      }),
    ),
  );
  if (process.stderr.isTTY) process.stderr.write('\n');
  const matrix = merged(parts.map(({ api }) => api));
  const senders = mergedSenders(parts.map(({ webhooks }) => webhooks));
  const problems = [
    ...problemsOf(matrix),
    ...unprovedClauses(matrix.rows),
    ...senders.flatMap((row) => row.problems),
  ];
  const figures = figuresOf(matrix, { seconds: (performance.now() - began) / 1_000, workers });
  if (isJson) console.log(JSON.stringify({ firstSeed, ...figures, problems, ...matrix, senders }, null, 2));
  else print({ matrix, senders }, figures, problems);
  return problems.length === 0 ? 0 : 1;
}

/** What one seed gave, for the API and for the sender of webhooks. */
type Part = { readonly api: KillMatrix; readonly webhooks: readonly SenderRow[] };

type Settings = { readonly seeds: number; readonly firstSeed: number; readonly isJson: boolean };

function settled(): Settings {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '1' },
      'first-seed': { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
    },
  });
  const seeds = Number(values.seeds);
  const firstSeed = Number(values['first-seed']);
  if (!Number.isInteger(seeds) || seeds < 1 || seeds > 1_000_000)
    throw new UsageError(`--seeds takes a whole number from 1 to 1000000, not ${values.seeds}.`);
  if (!Number.isInteger(firstSeed) || firstSeed < 0)
    throw new UsageError(`--first-seed takes a whole number from 0, not ${values['first-seed']}.`);
  return { seeds, firstSeed, isJson: values.json };
}

function inWorker(
  workerData: { readonly firstSeed: number; readonly seeds: number },
  onPart: (part: Part) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./fault-worker.ts', import.meta.url), { workerData });
    worker.on('error', reject);
    worker.on('message', onPart);
    worker.on('exit', () => resolve());
  });
}

type Figures = {
  readonly faults: number;
  readonly variants: number;
  readonly runs: number;
  readonly caught: number;
  readonly seconds: number;
  readonly workers: number;
};

function figuresOf(
  { rows }: KillMatrix,
  { seconds, workers }: Pick<Figures, 'seconds' | 'workers'>,
): Figures {
  const faults = rows.filter(({ kind }) => kind === 'fault');
  const faultRuns = faults.reduce((sum, { runs }) => sum + runs, 0);
  return {
    faults: faults.length,
    variants: rows.filter(({ kind }) => kind === 'variant').length,
    runs: rows.reduce((sum, { runs }) => sum + runs, 0),
    caught: faults.reduce((sum, { caught }) => sum + caught, 0) / faultRuns,
    seconds,
    workers,
  };
}

type Matrices = { readonly matrix: KillMatrix; readonly senders: readonly SenderRow[] };

function print({ matrix, senders }: Matrices, figures: Figures, problems: readonly string[]): void {
  const { faults, variants, runs, caught, seconds, workers } = figures;
  console.log(matrixText(matrix.rows, clauses.map(idOf)).join('\n'));
  console.log('\nWebhooks, sender by sender:\n');
  console.log(matrixText(senders, webhookClauses.map(idOf)).join('\n'));
  console.log(
    `\n● violated in every run, as it must be; a figure: in so many % of the runs; ? cannot be proved\n`,
  );
  console.log(`subjects  ${faults} faults, ${variants} variants, and the service as documented`);
  console.log(`webhooks  ${sendersText(senders)}`);
  console.log(`runs      ${runs}, each one whole run of all scopes; ${matrix.seeds} seeds`);
  console.log(`caught    ${(100 * caught).toFixed(3)} % of the runs with a fault`);
  console.log(`rate      ${(runs / seconds).toFixed(0)} runs a second on ${workers} cores`);
  for (const miss of missesOf(matrix)) console.log(`not told  ${miss}`);
  for (const problem of problems) console.log(`PROBLEM   ${problem}`);
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

function sendersText(senders: readonly SenderRow[]): string {
  const faults = senders.filter(({ kind }) => kind === 'fault');
  const runs = faults.reduce((sum, row) => sum + row.runs, 0);
  const caught = faults.reduce((sum, row) => sum + row.caught, 0);
  const variants = senders.filter(({ kind }) => kind === 'variant').length;
  return `${faults.length} faults, ${variants} variants; caught in ${caught} of ${runs} runs with a fault`;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof UsageError ? 2 : 4;
}
