import { describe, expect, it, test } from 'vitest';
import { costOfAll, costsText, dearestOf, isCosting, othersOf } from './cost.ts';
import { areKeysCountedTogether } from './counted-by.ts';
import {
  type Document,
  type DocumentInput,
  documentSchema,
  furtherIn,
  hasCosts,
  isRollingAlone,
  isRollingBound,
  isRollingIn,
  limitTextOf,
  partsOf,
  promiseIn,
  refusesLikeOutage,
  windowShareOf,
} from './document.ts';

type Scopes = DocumentInput['scopes'];

const search = { title: 'searches', limit: 20, paths: ['/search'] };
const rest = { title: 'all else', limit: 100 };
const dear = { ...search, cost: 5 };

function documentOf(scopes: Scopes, more: Partial<DocumentInput> = {}): Document {
  return documentSchema.parse({ version: 1, title: 'own', windowSeconds: 60, scopes, ...more });
}

describe('what a scope promises', () => {
  const promised = (said: Partial<Scopes[string]>, more: Partial<DocumentInput> = {}) => {
    const document = documentOf({ search: { ...search, ...said } }, more);
    expect(isRollingIn(document, 'search')).toBe(promiseIn(document, 'search').kind === 'rolling');
    return promiseIn(document, 'search').kind;
  };

  it.each([
    ['a rolling window where nothing is said', {}, {}, 'rolling'],
    ['what it says', { promise: 'fixed' }, {}, 'fixed'],
    ['what it says of requests that cost more', { promise: 'fixed', cost: 5 }, {}, 'fixed'],
    ['several limits', { also: [{ limit: 5, windowSeconds: 1 }] }, {}, 'several'],
    ['a window of requests that do not cost alike', { cost: 5 }, {}, 'several'],
    ['what keys share', {}, { countedBy: 'account' }, 'several'],
    ['what keys do not share', {}, { countedBy: 'key' }, 'rolling'],
  ] as const)('is %s', (_, said, more, kind) => expect(promised({ ...said } as never, more)).toBe(kind));

  it('is a rolling window of a scope that the document does not have, and nothing further', () => {
    const document = documentOf({ search });
    expect(promiseIn(document, 'other')).toEqual({ kind: 'rolling' });
    expect(furtherIn(document, 'other')).toEqual([]);
    expect(windowShareOf(document, 'other')).toBe(1);
    expect(isRollingBound(document, 'other')).toBe(true);
    expect(() => partsOf(document, 'other')).toThrow('the document has no scope other');
  });

  it.each([
    ['rolling', true],
    ['at-most', true],
    ['at-least', false],
    ['fixed', false],
    ['token-bucket', false],
    ['unsaid', false],
  ] as const)('as %s bounds any stretch of time: %s', (promise, isBound) =>
    expect(isRollingBound(documentOf({ search: { ...search, promise } }), 'search')).toBe(isBound),
  );

  it.each([
    ['rolling', '20 in any 60 s'],
    ['at-most', 'at most 20 in any 60 s'],
    ['at-least', 'at least 20 in any 60 s'],
    ['unsaid', '20 in 60 s, by whatever limiter'],
  ] as const)('as %s is said as "%s"', (promise, text) =>
    expect(limitTextOf(documentOf({ search: { ...search, promise } }), 'search')).toBe(text),
  );
});

test('limits beside the first are all but that one', () => {
  const also = [
    { limit: 5, windowSeconds: 1 },
    { limit: 900, windowSeconds: 3_600, name: 'hour' },
  ];
  const document = documentOf({ search: { ...search, also }, rest });
  expect(furtherIn(document, 'search').map(({ name, limit }) => [name, limit])).toEqual([
    ['1s', 5],
    ['hour', 900],
  ]);
  expect(furtherIn(document, 'rest')).toEqual([]);
});

test('a window of its own is told as a share of the document’s, that of a bucket by how long it takes to fill', () => {
  const document = documentOf({
    search: { ...search, windowSeconds: 30 },
    bucket: { ...search, paths: ['/bucket'], promise: { kind: 'token-bucket', size: 40 } },
    rest,
  });
  expect(['search', 'bucket', 'rest'].map((scope) => windowShareOf(document, scope))).toEqual([0.5, 2, 1]);
});

test('all limits are rolling windows, or not all', () => {
  const fixed = { ...rest, promise: 'fixed' as const };
  expect(isRollingAlone(documentOf({ search, rest }))).toBe(true);
  expect(isRollingAlone(documentOf({ search, rest: fixed }))).toBe(false);
  expect(isRollingAlone(documentOf({ search: { ...search, promise: 'fixed' }, rest: fixed }))).toBe(false);
});

test('keys share their windows where they are counted by something else', () => {
  const by = (more: Partial<DocumentInput>) => areKeysCountedTogether(documentOf({ search }, more), 'search');
  const all = [{}, { countedBy: 'key' }, { countedBy: 'account' }, { countedBy: 'address' }] as const;
  expect(all.map(by)).toEqual([false, false, true, true]);
});

test.each([
  [{}, false],
  [{ headers: 'none' }, false],
  [{ refusal: { status: 503 } }, false],
  [{ headers: 'none', refusal: { status: 503 } }, true],
  [{ headers: 'none', refusal: { status: 500 } }, true],
  [{ headers: 'none', refusal: { status: 499 } }, false],
  [{ headers: 'none', refusal: { status: [429, 503] } }, true],
  [{ headers: { limit: 'L', on: 'admitted' }, refusal: { status: 503 } }, true],
  [{ headers: { limit: 'L', on: 'limited' }, refusal: { status: 503 } }, false],
] as const)('a document with %j refuses as an outage would: %s', (more, isAlike) =>
  expect(refusesLikeOutage(documentOf({ search }, structuredClone(more) as never))).toBe(isAlike),
);

describe('costs', () => {
  const find = { method: 'GET', path: '/find' } as const;
  const others = [{ request: find, cost: 3 }, { request: { ...find, method: 'POST' as const } }];
  const mixed = documentOf({ search: { ...search, cost: 2, others } }).scopes['search'];

  it('are those of each request of a scope, the usual one where none is said', () => {
    expect(othersOf(mixed ?? {}).map(({ cost }) => cost)).toEqual([3, 2]);
    expect(dearestOf(mixed ?? {})).toBe(3);
    expect([dearestOf({}), dearestOf(dear)]).toEqual([1, 5]);
    expect(costOfAll([{}, { cost: 3 }, { cost: 2 }])).toBe(6);
  });

  it.each([
    ['none', {}, null],
    ['one of 1', { cost: 1 }, null],
    ['one of 5', { cost: 5 }, 'Each request costs 5 of that.'],
    ['several', mixed ?? {}, 'A request costs 2, GET /find 3, POST /find 2 of that.'],
    ['one more of 1', { others: [{ request: find }] }, 'GET /find is counted with them.'],
    [
      'two more of 1',
      { others: [{ request: find }, { request: { ...find, path: '/b' } }] },
      'GET /find, GET /b are counted with them.',
    ],
  ])('of which there are %s are said, or not', (_, scope, text) => {
    expect(costsText(scope as Parameters<typeof costsText>[0])).toBe(text);
    expect(isCosting(scope as Parameters<typeof isCosting>[0])).toBe(text !== null);
  });

  it('are something that a document has where one of its scopes does', () => {
    expect(hasCosts(documentOf({ search, rest }))).toBe(false);
    expect(hasCosts(documentOf({ search: dear, rest }))).toBe(true);
  });
});
