import { describe, expect, it } from 'vitest';
import { clauseIn, clausesOf } from '../clauses/of-document.ts';
import { documentSchema, outerPartsIn, promiseIn } from './document.ts';
import { countedWith, innerOf, outermostOf, sharesLimits } from './within.ts';

const login = { title: 'POST /login', limit: 5, paths: ['/login'], within: 'all' };
const search = { ...login, title: '/search', limit: 9, paths: ['/search'] };
const all = { title: 'all requests', limit: 40, also: [{ name: 'burst', limit: 10, windowSeconds: 1 }] };
const apart = { title: '/apart', limit: 20, paths: ['/apart'] };

function read(scopes: object) {
  return documentSchema.safeParse({ version: 1, title: 'app', windowSeconds: 60, scopes });
}

const document = documentSchema.parse({
  ...{ version: 1, title: 'app', windowSeconds: 60 },
  scopes: { login, search, all, apart },
});

describe('a scope within another one', () => {
  it('has to keep to the limits of both, each by a name of its own', () => {
    expect(promiseIn(document, 'login')).toMatchObject({
      kind: 'several',
      parts: [
        { name: null, limit: 5 },
        { name: 'of all', limit: 40, of: { scope: 'all', name: null } },
        { name: 'of all.burst', limit: 10, of: { scope: 'all', name: 'burst' } },
      ],
    });
    expect(promiseIn(document, 'apart')).toEqual({ kind: 'rolling' });
    expect(outerPartsIn(document, 'all')).toEqual([]);
  });

  it('is counted with all that lie there', () => {
    expect(countedWith(document, 'search')).toEqual(['all', 'login', 'search']);
    expect(countedWith(document, 'all')).toEqual(['all', 'login', 'search']);
    expect(countedWith(document, 'apart')).toEqual(['apart']);
    expect(innerOf(document, 'all')).toEqual(['login', 'search']);
    expect(outermostOf(document)).toEqual(['all', 'apart']);
    expect(['login', 'all', 'apart'].map((scope) => sharesLimits(document, scope))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('has clauses for its own limits alone, which say what else they take', () => {
    const ids = clausesOf(document).flatMap(({ id }) => (id.startsWith('limits.') ? [id] : []));
    expect(ids.filter((id) => /login|search|all/.test(id))).toEqual([
      ...['limits.login', 'limits.search', 'limits.all', 'limits.all.burst'],
    ]);
    expect(clauseIn(document, 'limits.login')?.requirement).toContain(
      'Each of them takes a place of limits.all too.',
    );
    expect(clauseIn(document, 'limits.all')?.requirement).toContain(
      'Those of login, search take places of it too.',
    );
  });

  it('is not told apart from the one it lies in by limits.per-scope', () => {
    expect(clauseIn(document, 'limits.per-scope')).toBeDefined();
    const family = documentSchema.parse({ ...document, scopes: { login, all } });
    expect(clauseIn(family, 'limits.per-scope')).toBeUndefined();
  });
});

it.each([
  ['no scope', { login: { ...login, within: 'al' }, all }, 'is no scope of this document; did you mean all?'],
  ['none at all', { login: { ...login, within: 'constructor' }, all }, 'is no scope of this document.'],
  ['itself', { login: { ...login, within: 'login' }, all }, 'is the scope itself: name the one whose limits'],
  [
    'one that lies within another',
    { login: { ...login, within: 'search' }, search, all },
    'lies within all itself: a scope that others lie within lies within none',
  ],
  [
    'one that counts otherwise',
    { login: { ...login, countedBy: 'address' }, all },
    'counts by address, and all, within which it lies, by key, which no run tells apart: leave within out',
  ],
])('a scope that is to lie within %s is an error', (_what, scopes, sentence) => {
  const issues = read(scopes).error?.issues ?? [];
  expect(issues.map(({ path }) => path.join('.'))).toEqual(['scopes.login.within']);
  expect(issues[0]?.message).toContain(sentence);
});

it('a scope within another one may count as that one does', () => {
  const by = (own: object, outer: object) =>
    read({ login: { ...login, ...own }, all: { ...all, ...outer } }).success;
  const address = { countedBy: 'address' };
  expect([by(address, address), by({ countedBy: 'key' }, {}), by({}, address)]).toEqual([true, true, false]);
});

it('a request that costs more than its outer scope lets pass is an error', () => {
  expect(read({ login: { ...login, limit: 30, cost: 11 }, all }).error?.issues[0]).toMatchObject({
    path: ['scopes', 'login', 'cost'],
    message: 'is above the limit of 10: no such request would ever pass',
  });
  expect(read({ login: { ...login, limit: 30, cost: 10 }, all }).success).toBe(true);
});
