import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { fingerprintOf } from './fingerprint.ts';
import { changedSince } from './results.ts';

const source = 'export const answer = 42;\n';
const score = { mutants: 0, killed: 0, refused: 0, untried: 0, argued: 0 };

test('a file has changed when its code is another, when it was measured without a fingerprint, and when it never was', async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, 'judge'));
  const files = ['judge/as-it-was.ts', 'judge/changed.ts', 'judge/measured-long-ago.ts', 'judge/new.ts'];
  for (const file of files) await writeFile(join(root, file), source);
  const code = fingerprintOf(source);
  const measured = {
    'judge/measured-long-ago.ts': score,
    'judge/changed.ts': { ...score, code: fingerprintOf(source.replace('42', '41')) },
    'judge/as-it-was.ts': { ...score, code },
  };
  expect(await changedSince({ measured, notYetMeasured: ['judge/new.ts'] }, root)).toEqual(files.slice(1));
});
