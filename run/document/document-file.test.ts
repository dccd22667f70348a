import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { UsageError } from '../../contract/usage-error.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { loadDocument, readDocument } from './document-file.ts';

const good = `version: 1
title: search
windowSeconds: 60
scopes:
  search:
    title: /search
    limit: 40
    paths: [/search]
  rest:
    title: all other routes
    limit: 100
`;

/** What is said of the document with one text of it replaced, as "line:column text". */
function flawsWith(before: string, after: string): readonly string[] {
  const read = readDocument(good.replace(before, after));
  return read.kind === 'document'
    ? []
    : read.flaws.map(({ line, column, text }) => `${line}:${column} ${text}`);
}

test('a document is read from YAML, and from JSON', () => {
  const read = readDocument(good);
  expect(read).toMatchObject({ kind: 'document', document: { scopes: { rest: { limit: 100 } } } });
  if (read.kind !== 'document') return;
  expect(readDocument(JSON.stringify(read.document))).toEqual(read);
});

describe('each thing that is wrong is named where it stands', () => {
  it.each<readonly [string, string, string]>([
    ['limit: 40', 'limt: 40', '7:5 scopes.search.limt: there is no such field; did you mean limit?'],
    ['limit: 40', 'limit: 0', '7:5 scopes.search.limit: Too small'],
    ['limit: 40', 'limit: 40.5', '7:5 scopes.search.limit: Invalid input: expected int'],
    ['windowSeconds: 60', 'windowSeconds: 0', '3:1 windowSeconds: Too small'],
    ['windowSeconds: 60\n', '', '1:1 windowSeconds: is missing'],
    ['version: 1', 'version: 2', '1:1 version: must be 1: this version reads no other'],
    ['title: search\n', '', '1:1 title: is missing'],
    ['[/search]', '[search]', '8:13 scopes.search.paths.0: must start with "/"'],
    ['[/search]', '[/search, /search]', '8:22 scopes.search.paths.1: is a path of search too'],
    ['    paths: [/search]\n', '', '8:3 scopes.rest: has no paths, and neither has search'],
    ['limit: 40', 'limit: 40\n    perSecond: 41', '8:5 scopes.search.perSecond: is above the limit of 40'],
    [
      'scopes:',
      'sentences:\n  limits.serch: { level: should }\nscopes:',
      '5:3 sentences.limits.serch: is no clause of this document; did you mean limits.search',
    ],
    [
      'scopes:',
      'sentences: { limits.search: {} }\nscopes:',
      '4:14 sentences.limits.search: needs says, or level, or both',
    ],
    ['  search:', '  Search:', '5:3 scopes.Search: must be a short name of lower-case letters'],
    ['  search:', '  per-key:', '5:3 scopes.per-key: is the name of something else'],
    ['  search:', '  otherError:', '5:3 scopes.otherError: must be a short name'],
    [
      'limit: 40',
      'limit: 40\n    promise: weekly',
      '8:5 scopes.search.promise: must be one of rolling, fixed,',
    ],
    [
      'limit: 40',
      'limit: 40\n    promise: { kind: fixed, algned: clock }',
      '8:29 scopes.search.promise.algned: there is no such field',
    ],
    [
      'limit: 40',
      'limit: 40\n    promse: fixed',
      '8:5 scopes.search.promse: there is no such field; did you mean promise?',
    ],
    ['windowSeconds: 60', 'windowSeconds: 60\nrefusal: { status: 200 }', '4:12 refusal.status: '],
    [
      'windowSeconds: 60',
      'windowSeconds: 60\nerrors: none\nrefusal:\n  status: 429\n  bodySchema:\n    anyOf:\n      - { typ: object }',
      '9:11 refusal.bodySchema.anyOf.0.typ: is no keyword of JSON Schema (draft 2020-12); did you mean type',
    ],
    [
      'windowSeconds: 60',
      'windowSeconds: 60\nerrors: none\nrefusal: { status: 429, bodySchema: { $ref: "a.json" } }',
      '5:39 refusal.bodySchema.$ref: refers to what stands elsewhere, which is never fetched',
    ],
    ['paths: [/search]', 'paths: [/search', '9:3 '],
  ])('%j as %j', (before, after, said) => {
    const flaws = flawsWith(before, after);
    expect(flaws.join('\n')).toContain(said);
  });

  it('all of them, in the order of the file', () => {
    const flaws = flawsWith('limit: 40', 'limit: -1').concat(flawsWith('version: 1', 'version: 1\nmore: 2'));
    expect(flaws.map((flaw) => flaw.split(' ')[0])).toEqual(['7:5', '2:1']);
    const read = readDocument(good.replace('limit: 40', 'limit: -1').replace('limit: 100', 'limit: x'));
    expect(read.kind === 'flawed' && read.flaws.map(({ line }) => line)).toEqual([7, 11]);
  });

  it('an empty file, and one that is a list', () => {
    for (const text of ['', '[]', '# nothing\n', '- a\n'])
      expect(readDocument(text)).toMatchObject({ kind: 'flawed', flaws: [{ line: 1, column: 1 }] });
  });
});

test('a file is read from the working folder; one that is not there, or is wrong, is named', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'good.yaml'), good);
  await writeFile(join(cwd, 'bad.yaml'), good.replace('limit: 40', 'limit: 0'));
  expect((await loadDocument('good.yaml', cwd)).title).toBe('search');
  const failure = async (name: string): Promise<unknown> =>
    loadDocument(name, cwd).catch((error: unknown) => error);
  const missing = await failure('none.yaml');
  expect(missing).toBeInstanceOf(UsageError);
  expect(String(missing)).toContain('none.yaml cannot be read: it does not exist');
  expect(String(await failure('bad.yaml'))).toContain('bad.yaml:7:5  scopes.search.limit: Too small');
});
