import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { certificateFolder } from '../../contract/certificate.ts';
import { examine } from '../../judge/examine.ts';
import { admitted, traceOf } from '../../judge/testing/traces.ts';
import { buildReport } from '../../reports/build-report.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { judgeSaved } from './judge-file.ts';
import { documentAlone } from './judging.ts';
import { writeRendered, writeReports } from './write-reports.ts';

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

test('what cannot be written is named, and costs neither the other files nor what was judged', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'report.html'));
  await writeFile(join(folder, certificateFolder), 'no folder');
  const path = join(
    import.meta.dirname,
    '..',
    '..',
    'judge',
    'testdata',
    'fixed-window-first-request.ndjson',
  );
  const judged = await writeReports(folder, await judgeSaved('deployment', path, documentAlone));
  expect(judged.report.outcome).toBe('not-conformant');
  expect(judged.report.clauses.some(({ certificate }) => certificate !== undefined)).toBe(false);
  expect(judged.unwritten?.map(({ name }) => name)).toEqual([certificateFolder, 'report.html']);
  expect(await readdir(folder)).toEqual(expect.arrayContaining(['report.json', 'summary.md', 'junit.xml']));
});
