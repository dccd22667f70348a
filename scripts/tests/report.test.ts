import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { savedRuns } from '../testing/command-line.ts';
import { inProcess } from '../testing/in-process.ts';

const trace = join(import.meta.dirname, '..', '..', 'judge', 'testdata', 'limit-minus-one.ndjson');

test('conformance report renders a saved run again, and nothing else than it said', async () => {
  const cwd = await temporaryFolder();
  await inProcess(['judge', trace, '--out', 'runs'], cwd);
  const [folder = ''] = await savedRuns(cwd);
  const rendered = ['report.html', 'junit.xml', 'summary.md', 'badge.json', 'badge.svg'];
  const read = () => Promise.all(rendered.map((name) => readFile(join(folder, name), 'utf8')));
  const before = await read();
  await Promise.all(rendered.map((name) => rm(join(folder, name))));
  const { code, stdout } = await inProcess(['report', folder], cwd);
  expect(code).toBe(0);
  expect(stdout.trim()).toMatch(/^runs\/.*\/report\.html$/);
  expect(await read()).toEqual(before);
  // The newest that has a report, where none is named.
  await cp(folder, `${folder}-2`, { recursive: true });
  await cp(folder, `${folder}-10`, { recursive: true });
  await mkdir(join(cwd, 'runs', '2999-01-01T00-00-00Z'));
  await mkdir(join(cwd, 'runs', '2998-01-01T00-00-00Z'));
  await writeFile(join(cwd, 'runs', '2998-01-01T00-00-00Z', 'report.json'), '{"target":"a receiver"}');
  const last = await inProcess(['report'], cwd);
  expect([last.code, last.stdout]).toEqual([0, stdout.replace('/report.html', '-10/report.html')]);
  expect(before[0]).toContain('<h1 id="verdict-word" class="tone-bad">');
});

test('conformance report says which file is wrong, and what makes a right one', async () => {
  const cwd = await temporaryFolder();
  await mkdir(join(cwd, 'old'));
  await writeFile(join(cwd, 'old', 'report.json'), '{"schemaVersion":1}');
  await copyFile(trace, join(cwd, 'trace.ndjson'));
  const said = async (...args: readonly string[]) => {
    const { code, stderr } = await inProcess(['report', ...args], cwd);
    return `${code} ${stderr}`;
  };
  expect(await said()).toMatch(/^2 .*There is no report in runs\/ yet: a run makes one.*--runs/);
  expect(await said('nowhere')).toMatch(/^2 .*cannot be read.*Give the path of a report\.json/);
  expect(await said('trace.ndjson')).toMatch(/^2 .*is not JSON.*conformance judge/);
  await writeFile(join(cwd, 'report.json'), '{"schemaVersion":2,"tool":1}');
  expect(await said('report.json')).toMatch(
    /^2 .*is not the report of a run: tool must be .*, not a number\./,
  );
  expect(await said('old')).toMatch(/^2 .*has schema version 1, this program reads 2.*conformance judge/);
});

test('conformance report --schema describes report.json for other programs', async () => {
  const { code, stdout } = await inProcess(['report', '--schema'], await temporaryFolder());
  expect(code).toBe(0);
  const schema = JSON.parse(stdout) as { readonly required: readonly string[] };
  expect(schema.required).toContain('outcome');
  expect(schema.required).toContain('pictures');
});

test('conformance report --tune shows how a client should back off', async () => {
  const cwd = await temporaryFolder();
  await inProcess(['judge', trace, '--out', '.'], cwd);
  const [run = ''] = (await readdir(cwd)).filter((name) => name.startsWith('20'));
  const tuned = await inProcess(['tune', '--runs', '2', '--jobs', '400', '--json'], cwd);
  await writeFile(join(cwd, 'tune.json'), tuned.stdout);
  expect((await inProcess(['report', run, '--tune', 'tune.json'], cwd)).code).toBe(0);
  const page = await readFile(join(cwd, run, 'report.html'), 'utf8');
  expect(page).toContain('id="backoff"');
  expect(page).toContain('<td>recommended');
  const wrong = await inProcess(['report', run, '--tune', join(run, 'report.json')], cwd);
  expect(`${wrong.code} ${wrong.stderr}`).toMatch(/^2 .*is not what "conformance tune --json" writes/);
});
