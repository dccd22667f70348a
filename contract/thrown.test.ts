import { expect, test } from 'vitest';
import { asError, codeOf, messageOf } from './thrown.ts';

const missing = Object.assign(new Error('no such file'), { code: 'ENOENT' });

test('an error stays the same one, and says its own message and code', () => {
  expect(asError(missing)).toBe(missing);
  expect([messageOf(missing), codeOf(missing)]).toEqual(['no such file', 'ENOENT']);
});

test.each(['words', null, undefined, 7])('%j, thrown, is what an error says', (thrown) => {
  expect(asError(thrown)).toEqual(new Error(String(thrown)));
  expect([messageOf(thrown), codeOf(thrown)]).toEqual([String(thrown), null]);
});

test.each([new Error('without'), Object.assign(new Error('a number'), { code: 7 }), { code: 'ENOENT' }])(
  '%o has no code',
  (thrown) => {
    expect(codeOf(thrown)).toBe(null);
  },
);
