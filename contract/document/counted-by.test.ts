import { expect, it } from 'vitest';
import {
  areKeysCountedTogether,
  carriesKeys,
  countedByIn,
  keyedByCounting,
  scopesByCounting,
} from './counted-by.ts';
import { type Document, documentSchema, isRollingIn } from './document.ts';

const window = { title: 'x', limit: 9 };
const scopes: Document['scopes'] = {
  search: { ...window, countedBy: 'address' },
  rest: window,
  mine: { ...window, countedBy: 'key' },
};

it('a scope counts as it says, or else as its document does', () => {
  const by = (document: Parameters<typeof countedByIn>[0]) =>
    ['search', 'rest', 'mine', 'other'].map((scope) => countedByIn(document, scope));
  expect(by({ scopes })).toEqual(['address', 'key', 'key', 'key']);
  expect(by({ scopes, countedBy: 'account' })).toEqual(['address', 'account', 'key', 'account']);
});

it('keys are counted together in some scopes, and in others not', () => {
  expect(Object.keys(scopes).map((scope) => areKeysCountedTogether({ scopes }, scope))).toEqual([
    true,
    false,
    false,
  ]);
  expect([...scopesByCounting({ scopes })]).toEqual([
    ['address', ['search']],
    ['key', ['rest', 'mine']],
  ]);
});

it('only where each key has a window of its own is it a single rolling one', () => {
  const document = { scopes, windowSeconds: 60 };
  expect(Object.keys(scopes).map((scope) => isRollingIn(document, scope))).toEqual([false, true, true]);
});

it('in a scope whose requests carry no key nothing is said of keys', () => {
  const open = { scopes: { ...scopes, search: { ...window, countedBy: 'address', keys: 'none' } } } as const;
  expect(Object.keys(open.scopes).map((scope) => carriesKeys(open, scope))).toEqual([false, true, true]);
  expect([...keyedByCounting(open)]).toEqual([['key', ['rest', 'mine']]]);
  expect([...keyedByCounting({ scopes })]).toEqual([...scopesByCounting({ scopes })]);
});

it.each([
  [
    { keys: 'none' },
    {},
    'scopes.search.keys stands where requests are counted by key, which requests without a key do not show',
  ],
  [
    { keys: 'none', countedBy: 'account' },
    {},
    'scopes.search.keys stands where requests are counted by account, which',
  ],
  [{ keys: 'none', countedBy: 'address' }, {}, undefined],
  [
    { keys: 'none', countedBy: 'address' },
    { keys: 'none', countedBy: 'address' },
    'scopes.search.keys stands at every scope: write keys: none, and countedBy: address, for the whole document',
  ],
  [
    { keys: 'bearer' },
    {},
    'scopes.search.keys must be none: where a key stands, the document says for all scopes',
  ],
])('of %j beside %j is said: %s', (search, rest, says) => {
  const said = {
    search: { ...window, ...search, paths: ['/search'] },
    rest: { ...window, ...rest },
  };
  const [issue] =
    documentSchema.safeParse({ version: 1, title: 'x', windowSeconds: 60, scopes: said }).error?.issues ?? [];
  const text = issue === undefined ? undefined : `${issue.path.join('.')} ${issue.message}`;
  if (says === undefined) expect(text).toBeUndefined();
  else expect(text).toContain(says);
});
