import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judgeSaved } from '../../run/judge/judge-file.ts';
import { documentAlone } from '../../run/judge/judging.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { inProcess } from '../testing/in-process.ts';

const folder = join(import.meta.dirname, '..', '..', 'judge', 'testdata');

test.each(await readdir(folder))('%s: the same is said whether reports are written or not', async (name) => {
  const cwd = await temporaryFolder();
  const trace = join(folder, name);
  const alone = await inProcess(['judge', trace], cwd);
  const written = await inProcess(['judge', trace, '--out', '.'], cwd);
  expect(written.stdout.slice(0, written.stdout.indexOf('\npage '))).toBe(alone.stdout);
  expect([written.code, written.stderr]).toEqual([alone.code, alone.stderr]);
});

test('for verdicts alone no limiter is identified and no picture is drawn', async () => {
  const trace = join(folder, 'fixed-window-first-request.ndjson');
  const whole = await judgeSaved('deployment', trace, documentAlone);
  const alone = await judgeSaved('deployment', trace, { ...documentAlone, verdictsAlone: true });
  expect(whole.report.identified).not.toEqual([]);
  expect(alone.report.identified).toEqual([]);
  expect(alone.report.pictures.timelines).toEqual([]);
  expect(alone.judgement).toEqual(whole.judgement);
});

test.each([
  ['--verbose', 'fixed window (from the first request)'],
  ['--json', '"algorithm":"fixed-window-first-request"'],
])('with %s the limiter is said', async (flag, said) => {
  const trace = join(folder, 'fixed-window-first-request.ndjson');
  const { stdout } = await inProcess(['judge', trace, flag], import.meta.dirname);
  expect(stdout.replaceAll('": ', '":')).toContain(said);
});
