import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { limitsOf, limitTextOf } from '../../contract/document/document.ts';
import type { Report } from '../../reports/result.ts';
import { loadDocument } from '../../run/document/document-file.ts';
import { startService } from '../../service/server.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { inProcess } from '../testing/in-process.ts';

const root = join(import.meta.dirname, '..', '..');
const examples = join(root, 'documents', 'examples');
const files = await readdir(examples);

test.each(files)('document check says what %s promises, and the schema for editors fits it', async (file) => {
  const { code, stdout } = await inProcess(
    ['document', 'check', join(examples, file)],
    await temporaryFolder(),
  );
  const document = parse(await readFile(join(examples, file), 'utf8'));
  expect(code).toBe(0);
  expect(stdout).toContain(`${document.title}: nothing wrong`);
  for (const name of Object.keys(document.scopes))
    expect(stdout).toMatch(new RegExp(`${name} +${limitTextOf(document, name)}`));
  const { stdout: schema } = await inProcess(['document', 'schema'], await temporaryFolder());
  expect(z.fromJSONSchema(JSON.parse(schema)).safeParse(document).success).toBe(true);
  const wrong = { ...document, scopes: { Search: { limit: 0 } } };
  expect(z.fromJSONSchema(JSON.parse(schema)).safeParse(wrong).success).toBe(false);
});

test('document check names line and column, and exits with 2', async () => {
  const cwd = await temporaryFolder();
  await writeFile(
    join(cwd, 'bad.yaml'),
    'version: 1\ntitle: x\nwindowSeconds: 60\nscopes:\n  a: { title: a, limit: 0 }\n',
  );
  const { code, stderr } = await inProcess(['document', 'check', 'bad.yaml'], cwd);
  expect(code).toBe(2);
  expect(stderr).toContain('bad.yaml:5:18  scopes.a.limit: ');
});

test('document check says what a run leaves open, and where, and what it costs', async () => {
  const cwd = await temporaryFolder();
  await writeFile(
    join(cwd, 'own.yaml'),
    'version: 1\ntitle: x\nwindowSeconds: 60\nscopes:\n  a:\n    title: a\n    limit: 2\n    request: { path: /a }\n',
  );
  const { code, stdout } = await inProcess(['document', 'check', 'own.yaml'], cwd);
  expect(code).toBe(0);
  expect(stdout).toMatch(/a +2 in any 60 s +all other paths +GET \/a +\d+ +\d+ s\n/);
  expect(stdout).toContain('note  own.yaml:7:5  with 2 in 60 s, limits.a, window.rolling');
});

test('a schema of which no body can be made is usable, and not to be served', async () => {
  const cwd = await temporaryFolder();
  const text = [
    ...['version: 1', 'title: x', 'windowSeconds: 60', 'errors: none', 'scopes:'],
    ...['  a: { title: a, limit: 9, request: { path: /a } }', 'refusal:', '  status: 429', '  bodySchema:'],
    ...['    type: object', '    required: [id]', '    properties: { id: { pattern: "^[0-9]{3}$" } }', ''],
  ].join('\n');
  await writeFile(join(cwd, 'own.yaml'), text);
  const said =
    'no body that fits bodySchema could be made of it (/id is "too many requests", which does not match "^[0-9]{3}$"): ' +
    'name one in refusal.bodyExample';
  const checked = await inProcess(['document', 'check', 'own.yaml'], cwd);
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining(`note  own.yaml:9:3  ${said}`)]);
  const served = await inProcess(['serve', '--document', 'own.yaml', '--port', '0'], cwd);
  expect([served.code, served.stderr]).toEqual([
    2,
    expect.stringContaining(`The document cannot be served: ${said}`),
  ]);
  await writeFile(join(cwd, 'own.yaml'), `${text}  bodyExample: { id: '007' }\n`);
  expect((await inProcess(['document', 'check', 'own.yaml'], cwd)).stdout).not.toContain('note');
  await writeFile(join(cwd, 'own.yaml'), `${text}  bodyExample: { id: '7' }\n`);
  const { code, stderr } = await inProcess(['document', 'check', 'own.yaml'], cwd);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('own.yaml:13:3  refusal.bodyExample: does not fit bodySchema: /id is "7"'),
  ]);
});

test('clauses --document lists the clauses of the document', async () => {
  const { stdout } = await inProcess(
    ['clauses', '--document', join(examples, 'search.yaml')],
    await temporaryFolder(),
  );
  expect(stdout).toContain('limits.uploads');
  expect(stdout).not.toContain('limits.messages');
  expect(stdout).not.toContain('webhook.');
});

test('a run is held to the document that it names: its limits, its requests, its clauses', async () => {
  const cwd = await temporaryFolder();
  await copyFile(join(examples, 'search.yaml'), join(cwd, 'own.yaml'));
  const document = await loadDocument('own.yaml', cwd);
  const keys = { KEY_A: 'a-usable-key', KEY_B: 'another-usable-key' };
  const service = await startService({
    document,
    limits: limitsOf(document),
    // What a minute shows is shown by simulation.
    windowMs: 3_000,
    keys: new Map(Object.entries(keys)),
    faults: ['limit-header-off-by-one'],
  });
  try {
    const args = ['run', '--url', service.url, '--document', 'own.yaml', '--window', '3', '--load', 'none'];
    const { code, stdout } = await inProcess([...args, '--key-env', 'KEY_A,KEY_B', '--json'], cwd, {
      env: keys,
    });
    const report = JSON.parse(stdout) as Report;
    expect(report.limits).toEqual({ search: 40, uploads: 10, rest: 100 });
    expect(report.deployment.requests).toMatchObject({ uploads: { method: 'POST', path: '/files' } });
    const kinds = new Map(report.clauses.map(({ id, verdict }) => [id, verdict.kind]));
    expect([...kinds.keys()].filter((id) => /^limits\.(?!per-|rej)/.test(id))).toEqual([
      'limits.search',
      'limits.uploads',
      'limits.rest',
    ]);
    expect([...kinds].filter(([, kind]) => kind === 'violated').map(([id]) => id)).toEqual(['headers.limit']);
    expect(code).toBe(1);
    const certificate = JSON.parse(
      await readFile(join(await onlyRun(cwd), 'evidence', 'headers.limit.json'), 'utf8'),
    );
    expect(certificate.clause).toBe('headers.limit');
    const page = await readFile(join(await onlyRun(cwd), 'report.html'), 'utf8');
    expect(page).toContain('100 a minute on all other routes');
    expect(page).toContain('The document: the search API');
    expect(page).not.toMatch(/messaging endpoints|media uploads/);
  } finally {
    await service.close();
  }
});

async function onlyRun(cwd: string): Promise<string> {
  const [run = ''] = await readdir(join(cwd, 'runs'));
  return join(cwd, 'runs', run);
}
