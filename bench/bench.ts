#!/usr/bin/env node
import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import Table from 'cli-table3';
import { Command, InvalidArgumentError } from 'commander';
import { numberFrom } from '../proof/command.ts';
import { backoffBench } from './backoff.ts';
import { burstBench } from './burst.ts';
import { commandsBench } from './commands.ts';
import { ownVersion } from './gallery/package-version.ts';
import { identificationBench } from './identification.ts';
import { judgeBench } from './judge.ts';
import { limitersBench } from './limiters.ts';
import { loadBench } from './load.ts';
import type { Bench, Measure } from './measure.ts';
import { cellsOf, performancePage } from './page.ts';
import { porcupineBench } from './porcupine.ts';
import { promisesBench } from './promises.ts';
import { redisBench } from './redis.ts';
import { reportsBench } from './reports.ts';
import {
  type BenchResult,
  loadNow,
  mergedResults,
  readResults,
  thisMachine,
  writeResults,
} from './results.ts';
import { scaleBench } from './scale.ts';
import { serviceBench } from './service.ts';
import { simulationBench } from './simulation.ts';
import { soakBench } from './soak.ts';
import { storeBench } from './store.ts';
import { traceBench } from './trace.ts';
import { verdictBench } from './verdict.ts';
import { webhooksBench } from './webhooks.ts';

/** Every benchmark, in the order in which they run. */
const benches: readonly Bench[] = [
  simulationBench,
  identificationBench,
  backoffBench,
  limitersBench,
  redisBench,
  storeBench,
  judgeBench,
  promisesBench,
  scaleBench,
  serviceBench,
  porcupineBench,
  reportsBench,
  webhooksBench,
  soakBench,
  loadBench,
  burstBench,
  traceBench,
  commandsBench,
  verdictBench,
];

const names = benches.map(({ name }) => name);

const resultsFile = new URL('../docs/performance.json', import.meta.url);
const pageFile = new URL('../docs/performance.md', import.meta.url);

type Flags = { readonly seconds: number; readonly json?: string; readonly write: boolean };

const command = new Command('npm run bench --')
  .description('measures this project beside others in the same run, one benchmark after the other')
  .argument('[names...]', `which: ${names.join(', ')}; left out: all`, named, [])
  .option('--seconds <n>', 'measure each figure for so long', numberFrom({ min: 0, max: 3_600 }), 30)
  .option('--json <file>', 'write what was measured, and on which machine, to a file')
  .option('--write', 'put it into docs/performance.md and docs/performance.json', false)
  .addHelpText('after', '\nExit status: 0 all bars met, 1 one was missed, 2 unusable input')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .action(measure);

await command.parseAsync();

function named(name: string, before: readonly string[]): readonly string[] {
  if (!names.includes(name)) throw new InvalidArgumentError(`There are: ${names.join(', ')}.`);
  return [...before, name];
}

async function measure(chosen: readonly string[], { seconds, json, write }: Flags): Promise<void> {
  const taken: BenchResult[] = [];
  for (const bench of benches.filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
    taken.push(await resultOf(bench, seconds));
  }
  const version = await ownVersion();
  if (json !== undefined) await writeFile(json, `${JSON.stringify({ version, benches: taken }, null, 2)}\n`);
  if (write) {
    const all = [...mergedResults(await readResults(resultsFile), taken, names)];
    await writeResults(resultsFile, { version, benches: all });
    await writeFile(pageFile, performancePage({ version, benches: all }));
    console.error('docs/performance.md and docs/performance.json are written');
  }
  const missed = taken.flatMap(({ measures }) => measures).filter(({ bar }) => bar?.isMet === false).length;
  if (missed > 0) console.log(`${missed} missed of the bars that are stated`);
  process.exitCode = missed > 0 ? 1 : 0;
}

async function resultOf(
  { name, about, remarks = [], run }: Bench,
  secondsEach: number,
): Promise<BenchResult> {
  console.log(`${name}: ${about}`);
  const takenAt = new Date().toISOString();
  const load = loadNow();
  const found = await run((line) => console.error(`  ${line}`), { secondsEach });
  const { measures, curves } = 'measures' in found ? found : { measures: found, curves: [] };
  console.log(tableOf(measures));
  const machine = thisMachine(load);
  const taken = { measures: [...measures], curves: [...curves] };
  return { name, about, remarks: [...remarks], takenAt, secondsEach, machine, ...taken };
}

function tableOf(measures: readonly Measure[]): string {
  const table = new Table({
    head: ['measured', 'this project', 'peer', 'ratio', 'bar'],
    style: { head: [], border: [] },
  });
  table.push(...measures.map((measure) => [...cellsOf(measure)]));
  return table.toString();
}
