import { expect, it } from 'vitest';
import { areKeysCountedTogether, countedByIn, scopesByCounting } from './counted-by.ts';
import { type Document, isRollingIn } from './document.ts';

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
