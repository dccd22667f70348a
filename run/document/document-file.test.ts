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
    ['limit: 40', 'limit: 0', '7:5 scopes.search.limit: must be at least 1, not 0'],
    ['limit: 40', 'limit: 40.5', '7:5 scopes.search.limit: must be a whole number, as `limit: 40`, not 40.5'],
    ['windowSeconds: 60', 'windowSeconds: 0', '3:1 windowSeconds: must be at least 1, not 0'],
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
    ...(
      [
        ['nonne', '4:1 headers: must be one of x-ratelimit, ietf,'],
        ['nonne', 'as { limit: Quota, remaining: Quota-Left }; did you mean none?'],
        [
          '{ limit: X, remainig: Y }',
          '4:22 headers.remainig: there is no such field; did you mean remaining?',
        ],
        [
          '{ reset: X-Reset }',
          '4:12 headers.reset: must say how it is written, as { name: X-Reset, unit: seconds }',
        ],
        ['{ reset: { name: X, unit: second } }', '4:30 headers.reset.unit: must be one of epoch-seconds,'],
        [
          '{ reset: { name: X } }',
          '4:12 headers.reset.unit: is missing: give how it is written, as `unit: seconds`',
        ],
        ['{ limit: { name: X, as: lst } }', '4:30 headers.limit.as: must be list, not "lst"'],
        [
          '{ limit: { name: X } }',
          '4:12 headers.limit: says nothing but a name: write X, or as or key beside it',
        ],
        ['{ remaining: { name: X, as: use } }', '4:34 headers.remaining.as: must be one of list, used,'],
        ['{ limit: X, on: refused }', '4:22 headers.on: must be one of all, admitted, limited'],
        ['[X-Limit]', '4:1 headers: must be one of x-ratelimit'],
        ['{ limit: 3 }', '4:12 headers.limit: must be the name of a header, { name, as: list } or {'],
        [
          '{ limit: { name: X, key: a, as: list } }',
          '4:38 headers.limit.as: cannot be list where the value stands at a key: leave out as, or key',
        ],
        ['{ remaining: { name: X, key: a, as: list } }', '4:42 headers.remaining.as: cannot be list where'],
        [
          '{ remaining: { nme: X } }',
          '4:25 headers.remaining.nme: there is no such field; did you mean name?',
        ],
      ] as const
    ).map(
      ([headers, said]) => ['windowSeconds: 60', `windowSeconds: 60\nheaders: ${headers}`, said] as const,
    ),
    [
      'limit: 40',
      'limit: 40\n    headers: { remaining: { name: X, as: use } }',
      '8:38 scopes.search.headers.remaining.as: must be one of list, used,',
    ],
    ['  search:', '  Search:', '5:3 scopes.Search: must be a short name of lower-case letters'],
    ['  search:', '  per-key:', '5:3 scopes.per-key: is the name of something else'],
    ['  search:', '  otherError:', '5:3 scopes.otherError: must be a short name'],
    [
      'limit: 40',
      'limit: 40\n    promise: weekly',
      '8:5 scopes.search.promise: must be one of rolling, fixed, token-bucket, at-most, at-least, unsaid, or fields, as { kind: fixed, aligned: clock }, not "weekly"',
    ],
    ['limit: 40', 'limit: 40\n    promise: rollin', 'not "rollin"; did you mean rolling?'],
    ['limit: 40', 'limit: 40\n    promise:', 'is empty: give one of rolling, fixed'],
    [
      'limit: 40',
      'limit: 40\n    promise: { aligned: clock }',
      'promise.kind: is missing: give one of fixed, tok',
    ],
    [
      'windowSeconds: 60',
      'windowSeconds: 60\nkeys: sk_live_1',
      '4:1 keys: must be one of bearer, none, or fields, as { header: X-Api-Key } or { query: api_key }, not a text',
    ],
    ['windowSeconds: 60', 'windowSeconds: 60\nkeys: {}', '{ header: X-Api-Key } or { query: api_key }'],
    [
      'windowSeconds: 60',
      'windowSeconds: 60\nrefusal: { retryAfter: minutes }',
      'refusal.retryAfter: must be one of none, seconds, date, either, decimal, ms, duration, or a header called otherwise, as { name: X-Wait, as: ms }, not "minutes"',
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
    ['limit: 40', 'limit: "40"', 'must be a whole number, as `limit: 40`, not "40": leave out the quotes'],
    [
      'limit: 40',
      'limit: 40/min',
      '7:5 scopes.search.limit: must be a whole number, as `limit: 40`, not "40/min"',
    ],
    ['limit: 40', 'limit: 2026-01-01', 'must be a whole number, as `limit: 40`, not "2026-01-01"'],
    ['limit: 40', 'limit:', '7:5 scopes.search.limit: is empty: give a whole number, as `limit: 40`'],
    ['limit: 40', 'limit: [40]', 'must be a whole number, as `limit: 40`, not a list'],
    ['windowSeconds: 60', 'windowSeconds: 86400', 'not 86400: a longer window stands in also'],
    ['scopes:\n', 'scopes: []\nx:\n', '4:1 scopes: must be names with their limits, as `search: {'],
    ['title: search\n', 'title: 5\n', '2:1 title: must be a text, as `title: the search API`, not a number'],
    ['title: search\n', 'title: ""\n', '2:1 title: must not be empty'],
    ['title: search\n', `title: ${'x'.repeat(81)}\n`, 'must have at most 80 characters, and has 81'],
    [
      'paths: [/search]',
      'paths: /search',
      '8:5 scopes.search.paths: must be a list, as `paths: [/search]`, not',
    ],
    ['paths: [/search]', 'paths: []', '8:5 scopes.search.paths: must have at least 1 entry, and has none'],
    ['paths: [/search]', 'methods: [get]', 'not "get"; did you mean GET?'],
    [
      'limit: 40',
      'limit: 40\n    also: { limit: 5 }',
      'must be a list of limits, as `[{ limit: 5, windowSeconds',
    ],
    [
      'limit: 40',
      'limit: 40\n    request: /x',
      'must be a request, as `{ method: GET, path: /search }`, not a text',
    ],
    ['limit: 40', 'limit: 40\n    request: { path: /x, body: { a: 1 } }', 'request.body: must be `{ json: {'],
    [
      'limit: 40',
      'limit: 40\n    promise: { kind: rolling, size: 1 }',
      'promise.size: there is no such field.',
    ],
    ['limit: 40', 'limit: 40\n    cst: 1', 'scopes.search.cst: there is no such field; did you mean cost?'],
    [
      'title: search\n',
      'title: search\nlimit: 40\n',
      '3:1 limit: there is no such field here: it stands in a scope',
    ],
    ['  rest:', 'rest:', '9:1 rest: there is no such field: if it is a scope, indent it below scopes'],
    [
      'title: search\n',
      'refusal: 429\n',
      'refusal: must be what a request over the limit gets, as `{ status: 429 }`',
    ],
    [
      'title: search\n',
      'refusal: { body: { /code: [a] } }\n',
      'must be a text, a number, true, false or null, not',
    ],
    ['title: search\n', 'countedBy: user\n', 'countedBy: must be one of key, account, address, not "user"'],
    ['title: search\n', 'countedBy: [key]\n', 'countedBy: must be one of key, account, address, not a list'],
    [
      'paths: [/search]',
      'paths: [/search',
      '9:3 a [ that was opened before is not closed here: write ] behind',
    ],
    ['    limit: 40', '\tlimit: 40', '7:1 a tab begins this line: indent with spaces'],
    ['limit: 40', 'limit: 40\n    limit: 41', '8:5 this field stands here for the second time'],
    ['    limit: 40', '  limit: 40', '7:10 the next line is read as part of this value'],
    ['    limit: 40', '   limit: 40', '7:1 this line begins in another column'],
    ['limit: 40', 'limit:40', '7:5 this line has no ": " behind the name of a field'],
    ['limit: 40', 'limit: *n', '7:12 *n stands for nothing: no value before it is marked as &n'],
    ['limit: 40', 'limit: !num 40', '7:12 a value cannot begin with "!" and a name'],
    ['limit: 40', '<<: { limit: 40 }', '7:5 scopes.search.<<: is not read: write the fields out'],
    ['title: search', 'title: a: b', '2:8 this value has a colon in it: put the value in quotes'],
    ['title: search', 'title: @a', '2:8 a value cannot begin with "@": put the value in quotes'],
    ['title: search', 'title: "a', 'a " that was opened before is never closed: look at line 2'],
    [
      'title: search',
      'title: "a\\q"',
      '2:10 a backslash in double quotes means something else: write it twice',
    ],
    ['title: search', "title: 'it's'", '2:12 the value has ended before this'],
    ['    limit: 100\n', '    limit: 100\n---\ntitle: other\n', '12:1 a second document begins here'],
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

  it('one mistake of writing once, and not what follows from it', () => {
    expect(flawsWith('    limit: 40', '\tlimit: 40')).toHaveLength(1);
    expect(flawsWith('    limit: 40', 'limit: 40')).toHaveLength(1);
  });

  it('a field of a scope where a scope has to stand', () => {
    const read = readDocument('version: 1\ntitle: a\nwindowSeconds: 60\nscopes:\n  limit: 5\n');
    const text = 'scopes.limit: is a field of a scope: write the name of a scope above it, as `search:`';
    expect(read).toMatchObject({ flaws: [{ line: 5, column: 3, text: expect.stringContaining(text) }] });
  });

  it('aliases that stand for too much', () => {
    const nine = (of: string): string => `[${Array.from({ length: 9 }, () => of).join(',')}]`;
    const text = `a: &a ${nine('x')}\nb: &b ${nine('*a')}\nc: &c ${nine('*b')}\nd: ${nine('*c')}\n`;
    const said = 'its aliases stand for too much: write the values out';
    expect(readDocument(text)).toMatchObject({ kind: 'flawed', flaws: [{ text: said }] });
  });

  it('an empty file, and one that is a list', () => {
    for (const text of ['', '[]', '# nothing\n', '- a\n'])
      expect(readDocument(text)).toMatchObject({ kind: 'flawed', flaws: [{ line: 1, column: 1 }] });
    const said = 'the document: must be fields with their values, not a list (docs/documents.md shows one)';
    expect(readDocument('[]')).toMatchObject({ flaws: [{ text: said }] });
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
  expect(String(await failure('bad.yaml'))).toContain(
    'bad.yaml:7:5  scopes.search.limit: must be at least 1, not 0',
  );
});
