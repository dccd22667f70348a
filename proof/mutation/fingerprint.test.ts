import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { changedSince, fingerprintOf, fingerprintsOf } from './fingerprint.ts';

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

test('a file has changed when its code is another, and when it never was measured', async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, 'judge'));
  const files = ['judge/as-it-was.ts', 'judge/changed.ts', 'judge/new.ts'];
  for (const file of files) await writeFile(join(root, file), source);
  const score = { mutants: 0, killed: 0, refused: 0, untried: 0, argued: 0 };
  const measured = {
    'judge/changed.ts': { ...score, code: fingerprintOf(source.replace('2', '3')) },
    'judge/as-it-was.ts': { ...score, code: fingerprintOf(source) },
    'judge/gone.ts': { ...score, code: fingerprintOf(source) },
  };
  expect(changedSince(await fingerprintsOf(files, root), { measured })).toEqual(files.slice(1));
});
