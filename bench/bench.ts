#!/usr/bin/env node
import process from 'node:process';
import Table from 'cli-table3';
import { backoffBench } from './backoff.ts';
import { loadBench } from './load.ts';
import type { Bench, Measure } from './measure.ts';
import { reportsBench } from './reports.ts';
import { simulationBench } from './simulation.ts';
import { soakBench } from './soak.ts';
import { storeBench } from './store.ts';
import { webhooksBench } from './webhooks.ts';

/** Every benchmark, in the order in which they run. */
const benches: readonly Bench[] = [
  simulationBench,
  backoffBench,
  storeBench,
  reportsBench,
  webhooksBench,
  soakBench,
  loadBench,
];

/**
 * `npm run bench [-- name…]`: measures this project beside a peer in the same run, prints the ratios, and exits 1 where
 * a stated bar is missed. Runs one benchmark after the other, so that none takes time from another.
 */
async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !benches.some((bench) => bench.name === name));
  if (unknown.length > 0) {
    console.error(
      `There is no benchmark ${unknown.join(', ')}. There are: ${benches.map(nameOf).join(', ')}.`,
    );
    return 2;
  }
  const chosen = benches.filter(({ name }) => names.length === 0 || names.includes(name));
  let missed = 0;
  for (const { name, about, run } of chosen) {
    console.log(`${name}: ${about}`);
    const measures = await run((line) => console.error(`  ${line}`));
    console.log(tableOf(measures));
    missed += measures.filter(({ bar }) => bar?.isMet === false).length;
  }
  if (missed > 0) console.log(`${missed} missed of the bars that are stated`);
  return missed > 0 ? 1 : 0;
}

function nameOf({ name }: Bench): string {
  return name;
}

function tableOf(measures: readonly Measure[]): string {
  const table = new Table({
    head: ['measured', 'this project', 'peer', 'ratio', 'bar'],
    style: { head: [], border: [] },
  });
  for (const { measured, ours, peer, ratio, bar } of measures) {
    const met = bar === undefined ? '–' : `${bar.text}: ${bar.isMet ? 'met' : 'missed'}`;
    table.push([measured, ours, peer ?? '–', ratio === undefined ? '–' : ratio.toFixed(2), met]);
  }
  return table.toString();
}

process.exitCode = await main(process.argv.slice(2));
