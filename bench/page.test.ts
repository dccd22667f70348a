import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { performancePage } from './page.ts';
import { type BenchResult, type BenchResults, mergedResults } from './results.ts';

const result: BenchResult = {
  name: 'judging',
  about: 'a trace is judged',
  remarks: ['What was slow.'],
  takenAt: '2026-01-02T03:04:05.000Z',
  secondsEach: 30,
  machine: {
    cpu: 'a processor',
    cores: 2,
    memoryGb: 8,
    node: '26.0.0',
    platform: 'linux x64',
    loadBefore: 0.1,
    loadAfter: 1.2,
  },
  measures: [
    { measured: 'a|b', ours: '2 s', peer: '4 s', ratio: 0.5, bar: { text: '≤ 1', isMet: true } },
    { measured: 'alone', ours: '3 s', bar: { text: '≤ 2 s', isMet: false } },
  ],
  curves: [
    {
      title: 'Time',
      grows: 'exchanges',
      unit: 'ms',
      sizes: [1_000, 10_000],
      lines: [
        { name: 'ours', figures: [1, 12.345] },
        { name: 'the peer', figures: [9, null] },
      ],
    },
  ],
};

const page = performancePage({ version: '1.2.3', benches: [result] });

test('a figure is a row with its peer, its ratio and its bar', () => {
  expect(page).toContain('| a\\|b | 2 s | 4 s | 0.50 | ≤ 1: met |');
  expect(page).toContain('| alone | 3 s | – | – | ≤ 2 s: missed |');
});

test('a curve is a table, and a chart of each line that has all of its figures', () => {
  expect(page).toContain('| exchanges | ours, ms | the peer, ms |');
  expect(page).toContain('| 10,000 | 12.3 | – |');
  expect(page.match(/```mermaid/g)).toHaveLength(1);
  expect(page).toContain('  line [1, 12.3]');
});

test('the page says on which machine it was taken, and for how long each figure', () => {
  expect(page).toContain(
    '*Taken on 2026-01-02, 30 s a figure or more, on a processor, 2 cores, 8 GB, linux x64, Node 26.0.0; the load',
  );
});

test('a benchmark that is taken again replaces what was written of it, and the order stays', () => {
  const named = (name: string, takenAt = result.takenAt): BenchResult => ({ ...result, name, takenAt });
  const again = named('second', '2026-02-02T00:00:00.000Z');
  const merged = mergedResults(
    [named('second'), named('first'), named('gone')],
    [again],
    ['first', 'second'],
  );
  expect(merged).toEqual([named('first'), again]);
});

test('docs/performance.md is what its figures give, and no other', async () => {
  const docs = join(import.meta.dirname, '..', 'docs');
  const results = JSON.parse(await readFile(join(docs, 'performance.json'), 'utf8')) as BenchResults;
  expect(await readFile(join(docs, 'performance.md'), 'utf8')).toBe(performancePage(results));
});
