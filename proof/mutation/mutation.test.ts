import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { filesLike, root } from './files.ts';
import { isMutated } from './parts.ts';
import { onOneLine, readScores, readSurvivors, summaryOf } from './results.ts';

test('each file is measured, or listed as not yet measured', async () => {
  const { measured, notYetMeasured } = await readScores();
  const files = (await filesLike('{judge,contract}/**/*.ts')).filter(isMutated);
  expect([...Object.keys(measured), ...notYetMeasured].toSorted()).toEqual(files);
});

test('the figures of each file go together', async () => {
  const { measured } = await readScores();
  const survivors = await readSurvivors();
  const wrong = Object.entries(measured).filter(([file, { mutants, killed, refused, untried, argued }]) => {
    const entries = survivors.filter((survivor) => survivor.file === file).length;
    return killed + refused + untried + argued > mutants || entries > argued;
  });
  expect(wrong).toEqual([]);
});

test('the README says how many are killed', async () => {
  const readme = onOneLine(await readFile(join(root, 'README.md'), 'utf8'));
  const summary = summaryOf(await readScores());
  expect(readme.includes(summary), summary).toBe(true);
});

const survivors = await readSurvivors();

it.each(survivors)(
  '$file, “$text” as “$by”: the code still says so, and a sentence says why no test can tell',
  async ({ file, line, text, by, reason }) => {
    const source = await readFile(join(root, file), 'utf8');
    const lines = source.split('\n').map((one) => one.trim());
    expect(lines).toContain(line);
    expect(onOneLine(source)).toContain(text);
    expect(by).not.toBe(text);
    expect(reason).toMatch(/^[A-Z].{30,}\.$/);
  },
);

test('no survivor is argued twice', () => {
  const places = survivors.map(({ file, line, text, by }) => JSON.stringify([file, line, text, by]));
  expect(places.length).toBe(new Set(places).size);
});
