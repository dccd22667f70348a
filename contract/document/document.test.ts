import { describe, expect, it, test } from 'vitest';
import { clausesOf } from '../clauses/of-document.ts';
import {
  type Document,
  documentSchema,
  limitsOf,
  limitTextOf,
  partsOf,
  perSecondOf,
  scopesOf,
} from './document.ts';
import { messagingDocument } from './messaging.ts';

const least = {
  version: 1,
  title: 'search',
  windowSeconds: 60,
  scopes: {
    search: { title: '/search', limit: 40, paths: ['/search'] },
    rest: { title: 'all other routes', limit: 100 },
  },
};

type Changed = Readonly<Record<string, unknown>>;

/** What is said of the document with some fields changed: the path and the sentence of each flaw. */
function flawsOf(
  changes: Changed,
  scopes: Readonly<Record<string, Changed | undefined>> = {},
): readonly string[] {
  const kept = Object.entries({ ...least.scopes, ...scopes }).filter(([, one]) => one !== undefined);
  const result = documentSchema.safeParse({ ...least, scopes: Object.fromEntries(kept), ...changes });
  return result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
}

test('a title, a window and scopes are enough: headers, errors and keys are as in the messaging document', () => {
  expect(documentSchema.parse(least)).toEqual({
    ...least,
    headers: 'x-ratelimit',
    errors: 'success-false',
    keys: 'bearer',
  });
  expect(documentSchema.parse({ ...least, headers: 'none', errors: 'none', keys: 'none' })).toMatchObject({
    headers: 'none',
    errors: 'none',
    keys: 'none',
  });
  expect(documentSchema.parse(messagingDocument)).toEqual(messagingDocument);
});

const search = least.scopes.search;
const second = { limit: 10, windowSeconds: 10 };
const bucket = { kind: 'token-bucket', size: 50 };

describe('bounds', () => {
  it.each<readonly [string, Changed]>([
    ['an hour', { windowSeconds: 3_600 }],
    ['a second', { windowSeconds: 1 }],
    ['a long title', { title: 'x'.repeat(80) }],
  ])('%s is taken', (_what, changes) => expect(flawsOf(changes)).toEqual([]));

  it.each<readonly [string, Readonly<Record<string, Changed | undefined>>]>([
    [
      'a limit of one, and of a million',
      { search: { ...search, limit: 1 }, rest: { title: 'x', limit: 1_000_000 } },
    ],
    ['a figure per second that is the limit', { search: { ...search, perSecond: 40 } }],
    ['a cost that is the limit', { search: { ...search, cost: 40 } }],
    ['a cost that is what a bucket holds', { search: { ...search, cost: 50, promise: bucket } }],
    ['a cost that is a shorter limit', { search: { ...search, cost: 10, also: [second] } }],
    ['sixteen paths', { search: { ...search, paths: Array.from({ length: 16 }, (_, at) => `/a${at}`) } }],
    [
      'one path by several methods, and by all others',
      {
        search: { ...search, methods: ['GET'] },
        more: { ...search, methods: ['POST', 'PUT'] },
        less: search,
      },
    ],
    [
      'all paths by several methods, and by all others',
      {
        search: { title: 'x', limit: 1, methods: ['GET'] },
        more: { title: 'x', limit: 1, methods: ['PUT'] },
      },
    ],
    [
      'paths in which any text may stand',
      { search: { ...search, paths: ['/{tenant}', '/a/{id}:run', '/a/{from}-{to}/b', '/a:b'] } },
    ],
    [
      'twenty-four scopes',
      Object.fromEntries(
        Array.from({ length: 22 }, (_, at) => [`s-${at}`, { ...search, paths: [`/${at}`] }]),
      ),
    ],
    ['no scope without paths', { rest: undefined }],
    ['one scope alone', { search: undefined }],
  ])('%s is taken', (_what, scopes) => expect(flawsOf({}, scopes)).toEqual([]));

  it.each<readonly [string, Changed, string]>([
    ['another version', { version: 2 }, 'version must be 1: this version reads no other'],
    ['no title', { title: '' }, 'title Too small'],
    ['too long a title', { title: 'x'.repeat(81) }, 'title Too big'],
    ['too short a window', { windowSeconds: 0.9 }, 'windowSeconds Too small'],
    ['too long a window', { windowSeconds: 3_601 }, 'windowSeconds Too big'],
    ['no scope', { scopes: {} }, 'scopes needs at least one scope'],
    [
      'other headers',
      { headers: 'x' },
      'headers must be one of x-ratelimit, ietf, ietf-draft-7, ietf-triple, none, or names',
    ],
    ['another field', { more: 1 }, ' Unrecognized key'],
  ])('%s is not', (_what, changes, flaw) => expect(flawsOf(changes).join('\n')).toContain(flaw));

  it.each<readonly [string, Readonly<Record<string, Changed | undefined>>, string]>([
    ['a limit of none', { search: { ...search, limit: 0 } }, 'scopes.search.limit Too small'],
    ['too high a limit', { search: { ...search, limit: 1_000_001 } }, 'scopes.search.limit Too big'],
    ['none per second', { search: { ...search, perSecond: 0 } }, 'scopes.search.perSecond Too small'],
    [
      'more per second than the limit',
      { search: { ...search, perSecond: 41 } },
      'scopes.search.perSecond is above the limit of 40: no second can have more than its window',
    ],
    [
      'a cost above the limit',
      { search: { ...search, cost: 41 } },
      'scopes.search.cost is above the limit of 40: no such request would ever pass',
    ],
    [
      'a cost above what a bucket holds',
      { search: { ...search, cost: 51, promise: bucket } },
      'scopes.search.cost is above the limit of 50: no such request would ever pass',
    ],
    [
      'another request that costs more than a shorter limit',
      {
        search: {
          ...search,
          also: [{ limit: 4, windowSeconds: 2 }],
          others: [{ request: { path: '/a' }, cost: 5 }],
        },
      },
      'scopes.search.others.0.cost is above the limit of 4: no such request would ever pass',
    ],
    ['a cost of nothing', { search: { ...search, cost: 0 } }, 'scopes.search.cost Too small'],
    ['an empty title', { search: { ...search, title: '' } }, 'scopes.search.title Too small'],
    ['no path at all', { search: { ...search, paths: [] } }, 'scopes.search.paths Too small'],
    [
      'seventeen paths',
      { search: { ...search, paths: Array.from({ length: 17 }, (_, at) => `/a${at}`) } },
      'scopes.search.paths Too big',
    ],
    [
      'a path with a query',
      { search: { ...search, paths: ['/a?b'] } },
      'scopes.search.paths.0 must start with "/" and hold no white space, query or fragment',
    ],
    [
      'a path of two scopes',
      { more: { ...search, paths: ['/a', '/search'] } },
      'scopes.more.paths.1 is a path of search too',
    ],
    [
      'a path that another scope writes otherwise',
      { more: { ...search, paths: ['/%73earch/'] } },
      'scopes.more.paths.0 is a path of search too',
    ],
    [
      'a path of two scopes that names what may vary otherwise',
      { more: { ...search, paths: ['/a/{id}'] }, less: { ...search, paths: ['/a/{name}'] } },
      'scopes.less.paths.0 is a path of more too',
    ],
    [
      'a method of two scopes',
      { more: { ...search, methods: ['GET', 'PUT'] }, search: { ...search, methods: ['POST', 'PUT'] } },
      'scopes.more.paths.0 is a path of search too, and both count PUT',
    ],
    [
      'a method of two scopes without paths',
      {
        more: { title: 'x', limit: 1, methods: ['POST'] },
        less: { title: 'y', limit: 1, methods: ['GET', 'POST'] },
      },
      'scopes.less has no paths, and neither has more, and both count POST',
    ],
    [
      'a request by a method that is not counted',
      { search: { ...search, methods: ['POST', 'PUT'], request: { path: '/search' } } },
      'scopes.search.request is by GET, and its scope counts POST, PUT',
    ],
    [
      'another request by a method that is not counted',
      { search: { ...search, methods: ['GET'], others: [{ request: { method: 'PUT', path: '/search' } }] } },
      'scopes.search.others.0.request is by PUT, and its scope counts GET',
    ],
    [
      'a scope for the rest beside one of every path',
      { search: { ...search, paths: ['/a', '/'] } },
      'scopes.rest has no paths, and / of search is every path',
    ],
    ['no method at all', { search: { ...search, methods: [] } }, 'scopes.search.methods Too small'],
    [
      'a method in small letters',
      { search: { ...search, methods: ['get'] } },
      'scopes.search.methods.0 Invalid option: expected one of "GET"|"HEAD"|"POST"|"PUT"|"PATCH"|"DELETE"',
    ],
    [
      'a method twice',
      { search: { ...search, methods: ['GET', 'GET'] } },
      'scopes.search.methods names a method twice',
    ],
    ...['/a/*', '/a*', '/a/:id'].map((path): [string, Readonly<Record<string, Changed>>, string] => [
      `the path ${path}`,
      { search: { ...search, paths: [path] } },
      'scopes.search.paths.0 must say {name} where any text may stand, as in "/users/{id}/posts"',
    ]),
    ...['/a/{', '/a/}', '/a/{}', '/a/{b/c}', '/{a{b}}'].map(
      (path): [string, Readonly<Record<string, Changed>>, string] => [
        `the path ${path}`,
        { search: { ...search, paths: [path] } },
        'scopes.search.paths.0 has a brace that is no part of {name}',
      ],
    ),
    [
      'two scopes for the rest',
      { more: { title: 'x', limit: 1 }, less: { title: 'y', limit: 1 } },
      'scopes.more has no paths, and neither has rest: only one scope can take all that no other names',
    ],
    [
      'twenty-five scopes',
      Object.fromEntries(Array.from({ length: 23 }, (_, at) => [`s${at}`, { ...search, paths: [`/${at}`] }])),
      'scopes has more than 24 scopes',
    ],
    [
      'two further limits of one name',
      { search: { ...search, also: [second, { ...second, limit: 20 }] } },
      'scopes.search.also.1 is the second one called 10s: give it a name',
    ],
    [
      'a further limit called as the first one is',
      { search: { ...search, also: [{ ...second, name: 'first' }] } },
      'scopes.search.also.0.name is what the first limit is called: give it another name',
    ],
    [
      'a further limit without its window',
      { search: { ...search, also: [{ limit: 10 }] } },
      'scopes.search.also.0.windowSeconds Invalid input',
    ],
    [
      'a fifth limit',
      { search: { ...search, also: [1, 2, 3, 4].map((windowSeconds) => ({ limit: 1, windowSeconds })) } },
      'scopes.search.also Too big',
    ],
    ['another field of a scope', { search: { ...search, more: 1 } }, 'scopes.search Unrecognized key'],
  ])('%s is not', (_what, scopes, flaw) =>
    expect(flawsOf({}, scopes)).toEqual(expect.arrayContaining([expect.stringContaining(flaw)])),
  );

  it('all that is wrong is said, each thing once', () => {
    const scopes = { more: { title: 'x', limit: 1 }, less: { title: 'y', limit: 1 } };
    expect(flawsOf({}, scopes).map((flaw) => flaw.split(' ')[0])).toEqual(['scopes.more', 'scopes.less']);
  });

  it('of two scopes that count the same it is said what both count', () => {
    const both = { more: { ...search, methods: ['PUT'] }, search: { ...search, methods: ['PUT'] } };
    expect(flawsOf({}, both)).toEqual(['scopes.more.paths.0 is a path of search too, and both count PUT']);
    expect(flawsOf({}, { more: search })).toEqual(['scopes.more.paths.0 is a path of search too']);
    const rest = { rest: { title: 'x', limit: 1, methods: ['PUT'] } };
    const all = { ...rest, search: { ...search, paths: ['/'], methods: ['PUT'] } };
    expect(flawsOf({}, all)).toEqual([
      'scopes.rest has no paths, and / of search is every path, and both count PUT',
    ]);
  });

  it.each(['a', 'search-2', 'x'.repeat(40)])('a scope may be called %s', (name) => {
    expect(flawsOf({}, { [name]: { ...search, paths: ['/own'] } })).toEqual([]);
  });

  it.each([
    ...['', 'A', '2a', '-a', 'a b', 'a_b', 'a.b', 'x'.repeat(41), 'messagesSubpath', 'otherError'],
    ...['messages-subpaths', 'per-key', 'per-scope', 'per-second', 'rejections-count'],
  ])('and not %j', (name) => {
    expect(flawsOf({}, { [name]: { ...search, paths: ['/own'] } }).length).toBe(1);
  });
});

test('scopes, limits and figures per second are those of the document, in its order', () => {
  const document: Document = documentSchema.parse(least);
  expect(scopesOf(document)).toEqual(['search', 'rest']);
  expect(limitsOf(document)).toEqual({ search: 40, rest: 100 });
  expect([perSecondOf(messagingDocument, 'messages'), perSecondOf(messagingDocument, 'media')]).toEqual([
    5,
    null,
  ]);
  expect(perSecondOf(document, 'nothing')).toBeNull();
});

test('several limits of a scope are said together, and together promise what each does', () => {
  const bucket = { ...second, name: 'burst', promise: { kind: 'token-bucket', size: 5 } };
  const document = documentSchema.parse({
    ...least,
    scopes: { search: { ...search, also: [second, bucket] } },
  });
  expect(limitTextOf(document, 'search')).toBe(
    '40 in any 60 s and 10 in any 10 s and 5 at once, and 10 in 10 s after that',
  );
  const ids = clausesOf(document).map(({ id }) => id);
  expect(ids.slice(0, 3)).toEqual(['limits.search', 'limits.search.10s', 'limits.search.burst']);
  // A bucket of five is full again after half of its window.
  expect(partsOf(document, 'search').map(({ wholeSeconds }) => wholeSeconds)).toEqual([60, 10, 5]);
  expect(limitsOf(document)).toEqual({ search: 40 });
});
