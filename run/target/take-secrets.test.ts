import { expect, test } from 'vitest';
import { UsageError } from '../../contract/usage-error.ts';
import { takeSecrets } from './take-secrets.ts';

test('secrets leave the environment in the order of their names', () => {
  const env = { OLD: 'b', NEW: 'a', OTHER: 'c' };
  expect(takeSecrets(['NEW', 'OLD'], env)).toEqual(['a', 'b']);
  expect(env).toEqual({ OTHER: 'c' });
});

test.each([
  ['none', [], 'names no variable'],
  ['three', ['A', 'B', 'C'], 'or two while a secret is rotated'],
  ['a variable that is not set', ['NO_SUCH'], 'NO_SUCH is not set'],
  ['an empty one', ['EMPTY'], 'EMPTY is empty'],
  ['one variable twice', ['A', 'A'], '--secret-env names A twice'],
  ['one secret twice', ['A', 'SAME'], 'A and SAME hold the same secret'],
  ['a line break at the end', ['BROKEN'], 'white space around the secret'],
  ['a whole file', ['LONG'], 'more than 4096 characters'],
  ['the secret itself in place of a name', ['whsec_abcdefgh'], 'variable whse… is not set'],
  ['the secret in capitals', ['ABCDEFGHJKLMNPQR'], 'variable ABCD… is not set'],
  ['no name at all', ['sec-ret!'], 'takes the name of an environment variable'],
])('%s: says what to do', (_what, names, says) => {
  const env = { A: 'a', B: 'b', C: 'c', SAME: 'a', EMPTY: '', BROKEN: 'x\n', LONG: 'x'.repeat(4_097) };
  expect(() => takeSecrets(names, { ...env })).toThrow(UsageError);
  expect(() => takeSecrets(names, { ...env })).toThrow(says);
});
