import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { examine } from '../../judge/examine.ts';
import { admitted, traceOf } from '../../judge/testing/traces.ts';
import { buildReport } from '../../reports/build-report.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { writeRendered } from './write-reports.ts';

test('a page that cannot be drawn says so, and costs no other report', async () => {
  const trace = traceOf([admitted(0, 5)]);
  const report = buildReport({ trace, ...examine(trace), judgedAt: '2026-01-01T00:02:00.000Z' });
  const timelines = null as unknown as [];
  const folder = await temporaryFolder();
  await writeRendered(folder, {
    report: { ...report, pictures: { ...report.pictures, timelines } },
    past: [],
    frontier: null,
  });
  expect((await readdir(folder)).sort()).toEqual([
    'badge.json',
    'badge.svg',
    'junit.xml',
    'report.html',
    'summary.md',
  ]);
  expect(await readFile(join(folder, 'report.html'), 'utf8')).toMatch(/could not be drawn \(TypeError/);
});
