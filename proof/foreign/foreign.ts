import { writeFile } from 'node:fs/promises';
import { findClause } from '../../contract/clauses/registry.ts';
import type { CommandIo } from '../command.ts';
import { type PoolOptions, playAll } from '../pool.ts';
import { type ForeignBatch, type ForeignRun, playForeignBatch } from './foreign-batch.ts';
import { tableOf, tableText } from './table.ts';

/** Traces that a worker judges at a time, and that one interpreter writes before. */
const batchSize = 200;

/** So many worlds at the document's limits take as long as a batch of the others. */
const tableBatchSize = 25;

/** Seeds of the table: each kind of violator once, at the document's limits, in any number of runs. */
const tableBatches = batchesOf({ kind: 'violators', firstSeed: 1, runs: 205, sizes: 'full' }, tableBatchSize);

/** Of as many violators as conforming services. */
const shareOfViolators = 0.05;

export type ForeignFlags = {
  /** How many traces of conforming services are judged; a twentieth of them is added as violators. */
  readonly foreign: number;
  readonly seed: number;
  /** Where the table of the violators caught is written, as JSON. */
  readonly table?: string;
};

/** Judges traces of a generator that shares nothing with the judges; it is sound only if no verdict is false. */
export async function judgeForeign({ foreign, seed, table }: ForeignFlags, io: CommandIo): Promise<void> {
  const conforming = await played(
    batchesOf({ kind: 'conforming', firstSeed: seed, runs: foreign, sizes: 'mixed' }),
    io.stderr,
  );
  const ofTable = await played(tableBatches, io.stderr);
  const more = Math.ceil(foreign * shareOfViolators);
  const others = batchesOf({ kind: 'violators', firstSeed: seed + 1_000_000, runs: more, sizes: 'mixed' });
  const violators = [...ofTable, ...(await played(others, io.stderr))];
  const wrong = conforming.filter(({ falsely }) => falsely.length > 0);
  const misplaced = violators.filter(({ falsely }) => falsely.some(isMust));
  io.stdout.write(
    [
      `conforming        ${conforming.length} traces (seed ${seed}) of a generator in Python`,
      `false verdicts    ${wrong.length}`,
      ...wrong.slice(0, shownMax).map((run) => `violated ${run.falsely.join(', ')} at seed ${run.seed}`),
      `violators         ${violators.length} traces`,
      `caught            ${violators.filter(({ caughtBy }) => caughtBy.length > 0).length}`,
      `also blamed       ${misplaced.length} traces for a must clause that they keep`,
      tableText(violators),
      '',
    ].join('\n'),
  );
  if (table !== undefined) await writeFile(table, `${JSON.stringify(tableOf(ofTable), null, 2)}\n`);
  io.exit(wrong.length === 0 ? 0 : 1);
}

const shownMax = 10;

function isMust(clause: string): boolean {
  return findClause(clause)?.level === 'must';
}

function batchesOf(all: ForeignBatch, size = batchSize): readonly ForeignBatch[] {
  return Array.from({ length: Math.ceil(all.runs / size) }, (_, at) => ({
    ...all,
    firstSeed: all.firstSeed + at * size,
    runs: Math.min(size, all.runs - at * size),
  }));
}

/** The runs of these batches, in the order of their seeds. */
export async function played(
  batches: readonly ForeignBatch[],
  stream: PoolOptions['stream'],
): Promise<readonly ForeignRun[]> {
  const { results } = await playAll(
    {
      module: new URL('./foreign-batch.ts', import.meta.url),
      play: playForeignBatch,
      batches,
      unit: 'traces',
      unitsIn: ({ runs }) => runs,
    },
    { stream },
  );
  return results.flat();
}
