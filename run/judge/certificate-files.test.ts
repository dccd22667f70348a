import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { certificateSchema } from '../../contract/certificate.ts';
import { formatTrace, type Trace } from '../../contract/trace.ts';
import { admitted, limited, times, traceOf } from '../../judge/testing/traces.ts';
import { reportSchema } from '../../reports/result.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { judgeAndReport, judgeAsOne } from './judge-file.ts';
import { documentAlone } from './judging.ts';
import { readTrace } from './trace-file.ts';
import { writeReports } from './write-reports.ts';

const overAdmitting = traceOf([...times(31, () => admitted(0, 5)), limited(100, 105)]);

async function saved(trace: Trace): Promise<string> {
  const path = join(await temporaryFolder(), 'trace.ndjson');
  await writeFile(path, formatTrace(trace));
  return path;
}

const digestOf = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

test('a violation leaves its certificate beside the report, which names it', async () => {
  const path = await saved(overAdmitting);
  const folder = join(path, '..');
  const { report } = await judgeAndReport('deployment', path, documentAlone);
  const named = report.clauses.find(({ id }) => id === 'limits.media')?.certificate;
  expect(named).toBe('evidence/limits.media.json');
  const certificate = certificateSchema.parse(JSON.parse(await readFile(join(folder, named ?? ''), 'utf8')));
  expect(certificate).toMatchObject({
    clause: 'limits.media',
    reason: 'over-admission',
    traceSha256: await digestOf(path),
  });
  expect(certificate.exchanges).toHaveLength(31);
  const written = reportSchema.parse(JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')));
  expect(written.clauses).toEqual(report.clauses);
  for (const name of ['summary.md', 'report.html', 'junit.xml'])
    expect(await readFile(join(folder, name), 'utf8')).toContain('evidence/limits.media.json');
});

test('a run without a violation leaves none', async () => {
  const path = await saved(traceOf([admitted(0, 5)]));
  await judgeAndReport('deployment', path, documentAlone);
  expect(await readdir(join(path, '..'))).not.toContain('evidence');
});

test('traces that are judged as one leave that one beside their certificates', async () => {
  const halves = [overAdmitting.exchanges.slice(0, 20), overAdmitting.exchanges.slice(20)];
  const paths = await Promise.all(halves.map((exchanges) => saved({ ...overAdmitting, exchanges })));
  const files = await Promise.all(paths.map(readTrace));
  const folder = join(await temporaryFolder(), 'merged');
  await mkdir(folder);
  await writeReports(folder, await judgeAsOne({ files, clockOffsetMsMax: 10 }, documentAlone));
  const certificate = JSON.parse(await readFile(join(folder, 'evidence/limits.media.json'), 'utf8'));
  expect(certificate.traceSha256).toBe(await digestOf(join(folder, 'trace.ndjson')));
});
