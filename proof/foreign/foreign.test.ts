import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { needing } from '../../testing/needs.ts';
import { played } from './foreign.ts';
import { hasPython } from './foreign-batch.ts';
import { type CaughtTable, tableOf } from './table.ts';

const quiet = { write: () => undefined };

/** Every eighth of the seeds from which the command writes the table. */
const step = 8;
const tableBatches = [{ kind: 'violators' as const, firstSeed: 1, runs: 25, step, sizes: 'full' as const }];

describe('traces of a generator that shares nothing with the judges', needing('python', hasPython()), () => {
  test('of conforming services violate nothing', async () => {
    const runs = await played([{ kind: 'conforming', firstSeed: 7_001, runs: 100, sizes: 'mixed' }], quiet);
    expect(runs).toHaveLength(100);
    expect(runs.filter(({ falsely }) => falsely.length > 0)).toEqual([]);
  });

  test('of violators are caught as the table says; `npm run soundness -- --foreign 1 --table …` writes it', async () => {
    const table: CaughtTable = JSON.parse(await readFile(new URL('./caught.json', import.meta.url), 'utf8'));
    const found = tableOf(await played(tableBatches, quiet));
    expect(Object.keys(found)).toHaveLength(25);
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((kind) => [kind, table[kind]])));
  }, 900_000);

  test('that are missed are missed for a reason that is written down', async () => {
    const table: CaughtTable = JSON.parse(await readFile(new URL('./caught.json', import.meta.url), 'utf8'));
    expect(Object.keys(table).length).toBeGreaterThanOrEqual(150);
    const reasons = JSON.parse(await readFile(new URL('./missed.json', import.meta.url), 'utf8'));
    expect(Object.keys(reasons)).toEqual(Object.keys(table).filter((kind) => table[kind]?.length === 0));
  });
});
