import { expect, test } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';

const source =
  '/**\n * Twice.\n */\nexport function twice(value: number): number {\n  return 2 * value;\n}\n';

test('comments, empty lines and indentation are not code', () => {
  const reworded = source
    .replace('Twice.', 'Two times.')
    .replace('  return', '\n    // By hand.\n    return')
    .replace(/^/, '/* A file. */\n');
  expect(fingerprintOf(reworded)).toBe(fingerprintOf(source));
});

test.each([
  ['another operator', source.replace('2 * value', '2 + value')],
  ['another order', source.replace('2 * value', 'value * 2')],
  ['a line more', source.replace('  return', '  value++;\n  return')],
])('%s is other code', (_, changed) => {
  expect(fingerprintOf(changed)).not.toBe(fingerprintOf(source));
});
