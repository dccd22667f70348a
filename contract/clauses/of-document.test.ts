import { describe, expect, it } from 'vitest';
import { type Document, documentSchema } from '../document/document.ts';
import { messagingDocument } from '../document/messaging.ts';
import { clauseIn, clausesOf, flawsOfSentences } from './of-document.ts';
import { clauses } from './registry.ts';

const search: Document = {
  version: 1,
  title: 'search',
  windowSeconds: 10,
  headers: 'x-ratelimit',
  errors: 'success-false',
  keys: 'bearer',
  scopes: {
    search: { title: '/search', limit: 40, paths: ['/search'] },
    rest: { title: 'all other routes', limit: 100 },
  },
};

it('the messaging document has the clauses that stand in the registry', () => {
  expect(clausesOf(messagingDocument)).toEqual(clauses);
});

it('another document has a clause for each of its limits, and none of what it does not say', () => {
  const ids = clausesOf(search).map(({ id }) => id);
  expect(ids.slice(0, 3)).toEqual(['limits.search', 'limits.rest', 'limits.per-key']);
  const messagingAlone = [
    ...['limits.standard', 'limits.messages', 'limits.media', 'limits.messages-subpaths'],
    ...['limits.per-second', 'load.messages-burst', 'load.media-burst', 'version.prefix'],
  ];
  expect(ids.filter((id) => messagingAlone.includes(id))).toEqual([]);
  const oneScope = { ...search, scopes: { rest: search.scopes['rest'] as Document['scopes'][string] } };
  expect(clausesOf(search).map(({ id }) => id)).toContain('limits.per-scope');
  expect(clausesOf(oneScope).map(({ id }) => id)).not.toContain('limits.per-scope');
});

it('what depends on limits depends on those of the document', () => {
  const known = new Set<string>(clausesOf(search).map(({ id }) => id));
  for (const { dependsOn } of clausesOf(search)) for (const id of dependsOn) expect(known).toContain(id);
  expect(clauseIn(search, 'window.rolling')?.dependsOn.slice(0, 2)).toEqual(['limits.search', 'limits.rest']);
  expect(clauseIn(search, 'limits.rest')?.dependsOn).toEqual(['limits.per-scope', 'limits.per-key']);
});

it('figures are those of the document', () => {
  expect(clauseIn(search, 'limits.search')?.title).toBe('40 in 10 s on /search');
  expect(clauseIn(search, 'limits.search')?.violation).toContain(
    '41 requests admitted inside one window of 10 s',
  );
  expect(clauseIn(search, 'window.length')?.requirement).toBe('The rolling window is 10 seconds long.');
  expect(JSON.stringify(clausesOf(search))).not.toMatch(/\b(?:60 s|120|300|one minute)\b/);
  const hourly = { ...search, windowSeconds: 3_600 };
  expect(clauseIn(hourly, 'limits.search')?.title).toBe('40 an hour on /search');
});

it('a scope may have a window of its own', () => {
  const [own, rest] = [search.scopes['search'], search.scopes['rest']] as const;
  if (own === undefined || rest === undefined) throw new Error('a scope is missing');
  const two = { ...search, scopes: { search: { ...own, windowSeconds: 5 }, rest } };
  expect(clauseIn(two, 'limits.search')?.title).toBe('40 in 5 s on /search');
  expect(clauseIn(two, 'window.length')?.title).toBe('each window is as long as its scope’s');
  expect(JSON.stringify([clauseIn(two, 'window.length'), clauseIn(two, 'window.granularity')])).not.toContain(
    '10 s',
  );
  const one = { ...search, scopes: { search: { ...own, windowSeconds: 5 } } };
  expect(clauseIn(one, 'window.length')?.requirement).toBe('The rolling window is 5 seconds long.');
});

it('a limit of another kind is one clause, in its own words, and no other speaks of a rolling window', () => {
  const document: Document = {
    ...search,
    refusal: { status: [403, 503] },
    scopes: {
      bucket: { title: '/a', limit: 60, promise: { kind: 'token-bucket', size: 5 }, paths: ['/a'] },
      clock: { title: '/b', limit: 7, promise: { kind: 'fixed', aligned: 'clock' } },
    },
  };
  expect(clauseIn(document, 'limits.bucket')?.title).toBe('5 at once, and 60 in 10 s after that, on /a');
  expect(clauseIn(document, 'limits.clock')?.title).toBe('7 in each 10 s, begun by the clock, on /b');
  expect(clauseIn(document, 'error.status')?.title).toBe('over the limit is HTTP 403 or 503');
  const ids = clausesOf(document).map(({ id }) => id);
  expect(ids.filter((id) => id.startsWith('window.') || id === 'load.rolling-window')).toEqual([]);
});

describe('what load can show', () => {
  const loadIn = (document: Document): readonly string[] =>
    clausesOf(document).flatMap(({ id }) => (id.startsWith('load.') ? [id.slice('load.'.length)] : []));
  const one = (given: Partial<Document['scopes'][string]>): Document => ({
    ...search,
    scopes: { rest: { title: 'all', limit: 8, ...given } },
  });

  it.each<readonly [string, Document, readonly string[]]>([
    [
      'of two rolling windows: all but bursts that bear other names',
      search,
      [
        ...['burst', 'rolling-window', 'over-pressure', 'sustained', 'noisy-neighbour', 'mixed-scopes'],
        ...['many-keys', 'nodes', 'latency', 'neighbour-latency', 'keys-cost'],
      ],
    ],
    [
      'of an upper bound: nothing that has to pass',
      one({ promise: 'at-most' }),
      ['burst', 'over-pressure', 'nodes', 'latency'],
    ],
    [
      'of a guarantee: nothing that has to be refused',
      one({ promise: 'at-least' }),
      [
        ...['burst', 'over-pressure', 'sustained', 'noisy-neighbour', 'many-keys', 'latency'],
        ...['neighbour-latency', 'keys-cost'],
      ],
    ],
    [
      'of keys that share their windows: nothing of keys apart, and no single rolling window',
      { ...search, countedBy: 'account' },
      ['burst', 'over-pressure', 'sustained', 'mixed-scopes', 'nodes', 'latency'],
    ],
    ['of requests that cost more than 1: nothing', one({ cost: 2 }), []],
  ])('%s', (_what, document, expected) => {
    expect(loadIn(document)).toEqual(expected);
  });

  it('says what it is in the words of the document', () => {
    const words = (document: Document, id: string) => clauseIn(document, id)?.requirement ?? '';
    expect(words(search, 'load.over-pressure')).toContain('in any window');
    expect(words(search, 'load.rolling-window')).not.toContain('minute');
    expect(words({ ...search, windowSeconds: 60 }, 'load.over-pressure')).toContain('in any minute');
    const bucket = one({ promise: 'token-bucket' });
    expect(words(bucket, 'load.over-pressure')).toContain('no more than it bounds');
    const busy = clausesOf({ ...bucket, refusal: { status: 503 } }).filter(({ needs }) => needs === 'load');
    expect(JSON.stringify(busy)).not.toContain('429');
  });
});

it('what one key may do is asked only of limits that are upper bounds', () => {
  const least = { title: '/a', limit: 60, promise: 'at-least' as const };
  const ids = clausesOf({ ...search, scopes: { least } }).map(({ id }) => id);
  expect(ids).not.toContain('limits.per-key');
});

describe('whose requests are counted together', () => {
  const items = { title: 'items', limit: 60 };
  const clausesBy = (...scopes: readonly object[]) => {
    const named = scopes.map((said, at) => [`of-${at}`, { ...items, paths: [`/${at}`], ...said }]);
    const document = documentSchema.parse({ ...search, scopes: Object.fromEntries(named) });
    const about = clausesOf(document).filter(({ id }) => /^limits\.(shared|per-key|of-\d)$/.test(id));
    return Object.fromEntries(about.map(({ id, title, requirement }) => [id, [title, requirement]]));
  };

  it('is said of the scopes that each clause is about, where they differ', () => {
    expect(clausesBy({ countedBy: 'address' }, {}, { promise: 'fixed' })).toMatchObject({
      'limits.shared': [
        'counted by address, not by key: of-0',
        'At of-0, all keys of one address share the window of each scope: one that is full is full for all of them.',
      ],
      'limits.per-key': [
        'counted per API key: of-1, of-2',
        'At of-1, of-2, each API key has windows of its own: one key that is full does not limit another.',
      ],
      'limits.of-0': [expect.anything(), expect.stringContaining('On items one address can make')],
      'limits.of-1': [expect.anything(), expect.stringMatching(/^A key can make exactly 60/)],
      'limits.of-2': [expect.anything(), expect.stringContaining('On items a key can make')],
    });
  });

  it('is not asked of keys where requests carry none', () => {
    const open = { countedBy: 'address', keys: 'none' };
    const { 'limits.shared': shared, 'limits.per-key': perKey } = clausesBy(open, {});
    expect([shared, perKey?.[0]]).toEqual([undefined, 'counted per API key: of-1']);
    expect(clausesBy(open, { countedBy: 'address' }, {})['limits.shared']?.[0]).toContain(': of-1');
    const scopes = { search: { ...items, ...open, paths: ['/search'] }, items };
    const document = documentSchema.parse({ ...search, keys: 'bearer', scopes });
    expect(clauseIn(document, 'auth.bearer')).toMatchObject({
      title: 'a bearer key, and only a valid one: items',
      requirement: expect.stringMatching(/^At items, requests carry Authorization: Bearer/),
    });
    const own = clauseIn({ ...document, keys: { header: 'X-Api-Key' } }, 'auth.bearer');
    expect([own?.title, own?.requirement]).toEqual([
      'a key, and only a valid one: items',
      expect.stringMatching(/^At items, requests carry X-Api-Key/),
    ]);
  });

  it('is said of all scopes where they do not', () => {
    const { 'limits.shared': shared, ...others } = clausesBy(
      { countedBy: 'account' },
      { countedBy: 'address' },
    );
    expect(shared?.[0]).toBe('counted by account or address, not by key');
    expect(shared?.[1]).toMatch(/^All keys of one account or address share/);
    expect(Object.keys(others)).toEqual(['limits.of-0', 'limits.of-1']);
    expect(clausesBy({})['limits.per-key']?.[0]).toBe('counted per API key');
  });
});

it('which answers carry which headers is said, where they differ', () => {
  const reset = { name: 'Again', unit: 'seconds', on: 'limited' };
  const requirement = (headers: object) => {
    const document = documentSchema.parse({ ...search, headers });
    return clauseIn(document, 'headers.present')?.requirement;
  };
  expect(requirement({ limit: 'Most', remaining: 'Left', reset })).toBe(
    'Every response to a request with a valid key carries Most, Left, and every 429 carries Again.',
  );
  expect(requirement({ limit: 'Most', on: 'admitted' })).toBe(
    'Every admitted response to a request with a valid key carries Most.',
  );
});

it('where nothing is said of headers, errors or keys, no clause is about them', () => {
  const groupsOf = (document: Document): readonly string[] => [
    ...new Set(clausesOf(document).map(({ id }) => id.split('.')[0] ?? '')),
  ];
  expect(groupsOf({ ...search, headers: 'none' })).not.toContain('headers');
  const ids = clausesOf({ ...search, errors: 'none' }).map(({ id }) => id);
  expect(ids.filter((id) => id.startsWith('error.'))).toEqual(['error.status']);
  expect(groupsOf({ ...search, errors: 'none' })).toContain('headers');
  expect(clausesOf({ ...search, keys: 'none' }).map(({ id }) => id)).not.toContain('auth.bearer');
  expect(clausesOf(search).map(({ id }) => id)).toContain('auth.bearer');
});

it('the clause about keys names the header that they stand in', () => {
  const said = clausesOf({ ...search, keys: { header: 'Authorization', scheme: 'Token' } });
  const { title, requirement } = said.find(({ id }) => id === 'auth.bearer') ?? {};
  expect(title).toBe('a key, and only a valid one');
  expect(requirement).toContain('Requests carry Authorization: Token <API_KEY>: a valid key is served');
});

it('a scope that only bears a name of the messaging API is none of it', () => {
  const scopes = { messages: { title: 'x', limit: 9, paths: ['/m'] }, media: { title: 'y', limit: 9 } };
  const ids = clausesOf({ ...search, scopes }).map(({ id }) => id);
  expect(ids).toContain('limits.messages');
  expect(ids).not.toContain('limits.messages-subpaths');
  expect(ids).not.toContain('load.media-burst');
});

it('a clause has the words of the document after ours, and its level', () => {
  const sentences = {
    'limits.search': { says: '40 a minute, please.', level: 'should' as const },
    'headers.reset': { level: 'observe' as const },
  };
  const said = { ...search, sentences };
  expect(clauseIn(said, 'limits.search')).toMatchObject({
    level: 'should',
    requirement: expect.stringMatching(/^A key can .*The document: “40 a minute, please\.”$/s),
  });
  expect(clauseIn(said, 'headers.reset')?.level).toBe('observe');
  expect(clauseIn(said, 'limits.rest')).toEqual(clauseIn(search, 'limits.rest'));
  expect(flawsOfSentences(said)).toEqual([]);
});

it('a sentence about no clause, or one that would have what is observed decide, is a flaw', () => {
  const sentences = { 'limits.serch': { says: 'x' }, 'headers.date': { level: 'must' as const } };
  expect(flawsOfSentences({ ...search, sentences })).toEqual([
    {
      path: ['sentences', 'limits.serch'],
      message: 'is no clause of this document; did you mean limits.search or limits.rest?',
    },
    { path: ['sentences', 'headers.date', 'level'], message: 'is only observed: nothing decides it' },
  ]);
});
