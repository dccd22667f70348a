import { expect, test } from 'vitest';
import { documentSchema } from '../../contract/document/document.ts';
import { remarksOn } from './remarks.ts';
import { runCosts } from './run-costs.ts';

/** A scope as a document has it, but for its title. */
type Said = Readonly<Record<string, unknown>> & { readonly limit: number };

function documentOf(scopes: Readonly<Record<string, Said>>) {
  const titled = Object.entries(scopes).map(([name, said]) => [name, { title: name, ...said }]);
  return documentSchema.parse({
    version: 1,
    title: 'x',
    windowSeconds: 60,
    scopes: Object.fromEntries(titled),
  });
}

const request = { path: '/a' };

function remarksOf(scopes: Readonly<Record<string, Said>>): readonly string[] {
  return remarksOn(documentOf(scopes)).map(({ path, text }) => `${path.slice(1).join('.')}: ${text}`);
}

test('a documented wait that is shorter than a place may be taken', () => {
  const saidOf = (waitSeconds: number, scope: object): readonly string[] => {
    const whole = { ...documentOf({ a: { limit: 30, request } }), errors: 'none', refusal: { waitSeconds } };
    const scopes = { a: { title: 'a', limit: 30, request, ...scope } };
    return remarksOn(documentSchema.parse({ ...whole, scopes })).map(
      ({ path, text }) => `${path.join('.')}: ${text}`,
    );
  };
  const said = (id: string, back: number, wait: number): string =>
    `refusal.waitSeconds: a place of ${id} may come back only after ${back} s: waiting ${wait} s is not enough where it is kept`;
  expect(saidOf(59.9, {})).toEqual([said('limits.a', 60, 59.9)]);
  expect(saidOf(60, {})).toEqual([]);
  expect(saidOf(30, { promise: 'fixed' })).toEqual([said('limits.a', 60, 30)]);
  expect(saidOf(1.5, { promise: 'token-bucket' })).toEqual([said('limits.a', 2, 1.5)]);
  expect(saidOf(2, { promise: 'token-bucket' })).toEqual([]);
  expect(saidOf(2, { promise: 'token-bucket', cost: 3 })).toEqual([said('limits.a', 6, 2)]);
  for (const promise of ['at-most', 'at-least', 'unsaid']) expect(saidOf(1, { promise })).toEqual([]);
  const also = [{ limit: 200, windowSeconds: 600, name: 'more' }];
  expect(saidOf(60, { also })).toEqual([said('limits.a.more', 600, 60)]);
});

test.each<readonly [string, Readonly<Record<string, Said>>, readonly string[]]>([
  ['nothing', { a: { limit: 4, request } }, []],
  [
    'a further limit that another one keeps from being reached',
    { a: { limit: 120, request, also: [{ limit: 300, windowSeconds: 60, name: 'user' }] } },
    ['a.also.0: limits.a keeps limits.a.user from ever being reached: that is not probed'],
  ],
  [
    'a limit that a further one keeps from being reached',
    { a: { limit: 300, request, also: [{ limit: 120, windowSeconds: 60, name: 'path' }] } },
    ['a.limit: limits.a.path keeps limits.a from ever being reached: that is not probed'],
  ],
  [
    'a limit that the one within which it lies keeps from being reached',
    { a: { limit: 40, paths: ['/a'], within: 'b', request }, b: { limit: 30, request: { path: '/' } } },
    ['a.limit: limits.b keeps limits.a from ever being reached: that is not probed'],
  ],
  [
    'a path within what the scope counts within which it lies',
    {
      a: { limit: 4, paths: ['/a/b'], within: 'b', request: { path: '/a/b' } },
      b: { limit: 30, paths: ['/a'], request },
    },
    [],
  ],
  ['no request', { a: { limit: 40 } }, ['a: no request is shown for a']],
  [
    'a request of another scope',
    { a: { limit: 40, request }, b: { limit: 40, paths: ['/a'], request } },
    ['a.request.path: the request of a is GET /a, which is counted as b'],
  ],
  [
    'another request of another scope',
    {
      a: { limit: 40, request: { path: '/b' }, others: [{ request }] },
      b: { limit: 40, paths: ['/a'], request },
    },
    ['a.others.0.request.path: another request of a is GET /a, which is counted as b'],
  ],
  [
    'a path below another one',
    {
      a: { limit: 40, paths: ['/a'], request },
      b: { limit: 40, paths: ['/x', '/a/b'], request: { path: '/x' } },
    },
    ['b.paths.1: /a/b is within /a of a: the path that says more wins, so it is counted as b alone'],
  ],
  [
    'a request by a method of another scope',
    {
      a: { limit: 40, methods: ['GET'], request },
      b: { limit: 40, methods: ['POST', 'PUT'], request: { path: '/a/7', method: 'PUT' } },
      c: { limit: 40, paths: ['/a/{id}'], methods: ['PUT'], request: { path: '/a/1', method: 'PUT' } },
    },
    [
      'b.request.path: the request of b is PUT /a/7, which is counted as c',
      'c.paths.0: PUT /a/{id} is within all other paths of b: the path that says more wins',
    ],
  ],
  ['a path that only begins alike', { a: { limit: 40, paths: ['/a', '/ab'], request } }, []],
  [
    'a figure by the second that the limit is above of',
    { a: { limit: 61, perSecond: 1, request } },
    ['a.perSecond: 1 a second are 60 in 60 s, and the limit is 61'],
  ],
  ['a figure by the second that gives the limit', { a: { limit: 60, perSecond: 1, request } }, []],
  [
    'more than a client with few connections reaches',
    { a: { limit: 30_000, request } },
    [
      'a.limit: 30000 in 60 s are reached only by more than 500 requests a second: with 50 connections (connectionsPerScope) each answer has to come within 100 ms',
    ],
  ],
  [
    'a rolling window with too few places',
    { a: { limit: 2, request } },
    [
      'a.limit: with 2 in 60 s, limits.a, window.rolling and window.length stay open where the service counts',
    ],
  ],
  ['another kind with few places', { a: { limit: 1, promise: 'fixed', request } }, []],
  [
    'a short rolling window',
    { a: { limit: 40, windowSeconds: 1.5, request } },
    [
      'a: in a window of 1.5 s, limits.a, window.rolling and window.length may stay open where an answer takes longer than 60 ms',
    ],
  ],
  [
    'a few places in a short rolling window',
    { a: { limit: 19, windowSeconds: 9, request } },
    [
      'a.limit: with 19 in 9 s, limits.a, window.rolling and window.length stay open where the service counts',
    ],
  ],
  [
    'enough places',
    { a: { limit: 3, request }, b: { limit: 20, windowSeconds: 3, paths: ['/b'], request: { path: '/b' } } },
    [],
  ],
  [
    'a window of a second',
    { a: { limit: 10, windowSeconds: 1, promise: 'fixed', request } },
    [
      'a: a window may be held a second longer, so a run tells of one of 1 s how many pass, and may take one of another length or kind for it',
    ],
  ],
  [
    'windows of two seconds',
    {
      a: { limit: 10, windowSeconds: 2, promise: 'at-least', request },
      b: {
        limit: 90,
        paths: ['/b'],
        request: { path: '/b' },
        also: [{ limit: 10, windowSeconds: 2, promise: 'fixed' }],
      },
    },
    [
      'a: a window may be held a second longer, so a run tells of one of 2 s how many pass, and may take one of another length for it',
      'b.also.0: a window may be held a second longer, so a run tells of one of 2 s',
    ],
  ],
  [
    'short windows of other kinds, and longer ones',
    {
      a: { limit: 10, windowSeconds: 1, promise: 'token-bucket', request },
      b: { limit: 10, windowSeconds: 1, promise: 'at-most', paths: ['/b'], request: { path: '/b' } },
      c: { limit: 10, windowSeconds: 3, promise: 'fixed', paths: ['/c'], request: { path: '/c' } },
      d: {
        limit: 10,
        windowSeconds: 11,
        promise: { kind: 'fixed', aligned: 'clock' },
        paths: ['/d'],
        request: { path: '/d' },
      },
    },
    [],
  ],
  [
    'windows of the clock that its skew covers',
    { a: { limit: 10, windowSeconds: 10, promise: { kind: 'fixed', aligned: 'clock' }, request } },
    [
      "a: the service's clock may be 5 s off (clockSkewSecondsMax), so a run takes windows of 10 s that begin at any other moment for those of the clock",
    ],
  ],
  [
    'a window that no run lasts',
    { a: { limit: 40, also: [{ limit: 1_000, windowSeconds: 86_400 }], request } },
    ['a.also.0: no run takes as long as 86400 s: limits.a.86400s is not looked at'],
  ],
])('of %s', (_what, scopes, expected) => {
  const found = remarksOf(scopes);
  expect(found).toEqual(expected.map((text) => expect.stringContaining(text)));
});

test('the cost of a scope is its own, with a request or without', () => {
  const costs = runCosts(
    documentOf({ a: { limit: 40, request }, b: { limit: 10, promise: 'fixed', paths: ['/b'] } }),
  );
  const [alone] = runCosts(documentOf({ a: { limit: 40, request } }));
  expect(costs.map(({ scope }) => scope)).toEqual(['a', 'b']);
  expect(costs[0]).toEqual(alone);
  expect(costs[1]?.seconds).toBeGreaterThan(120);
});
