import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { bundle, bundleBytesMax, bundleTogether, k6Script, sharedBytesMax } from './bundle.ts';

const folder = await temporaryFolder();
const contract = join(import.meta.dirname, '..', '..', 'contract');

async function bundled(name: string, source: string) {
  const entry = join(folder, `${name}.ts`);
  await writeFile(entry, source);
  return bundle({ entry, outfile: join(folder, `${name}.js`) });
}

test('the script of the scenarios fits into the budget', async () => {
  const outfile = join(folder, 'scenario.js');
  expect(await bundle({ entry: k6Script, outfile })).toMatchObject({ kind: 'bundled' });
  const text = await readFile(outfile, 'utf8');
  expect(text).toMatch(/from\s*"k6\/http"/);
  expect(text.length).toBeLessThanOrEqual(bundleBytesMax);
});

test('scripts that run alone are a few lines each beside what they share, which is bounded', async () => {
  const sources = join(import.meta.dirname, '..', 'k6', 'alone');
  const entries = (await readdir(sources)).map((name) => join(sources, name));
  const outdir = join(folder, 'alone');
  await bundleTogether(entries, outdir);
  const sizes = await Promise.all(
    (await readdir(outdir)).filter(isScript).map(async (name) => (await stat(join(outdir, name))).size),
  );
  expect(sizes.length).toBe(entries.length);
  expect(Math.max(...sizes)).toBeLessThan(2_000);
  const [shared = '', ...others] = await readdir(join(outdir, 'lib'));
  expect(others).toEqual([]);
  const { size } = await stat(join(outdir, 'lib', shared));
  expect(size).toBeLessThanOrEqual(sharedBytesMax);
  await expect(bundleTogether(entries, outdir, size - 1)).rejects.toThrow(
    `has ${size} bytes, more than the ${size - 1} allowed`,
  );
});

function isScript(name: string): boolean {
  return name.endsWith('.js');
}

test('a value from a file that brings zod is refused', async () => {
  const source = `import { exchangeSchema } from '${contract}/exchange.ts';\nexport default () => exchangeSchema.parse({});\n`;
  expect(await bundled('zod', source)).toMatchObject({
    kind: 'refused',
    reason: expect.stringMatching(/^zod comes into the bundle by .*contract\/exchange\.ts$/),
  });
});

test('a type from the same file is free', async () => {
  const source = `import type { Exchange } from '${contract}/exchange.ts';\nexport default (): Exchange['outcome'] => 'limited';\n`;
  expect(await bundled('type', source)).toMatchObject({ kind: 'bundled' });
});

test('what only Node has is refused', async () => {
  const source = `import { cwd } from 'node:process';\nexport default () => cwd();\n`;
  expect(await bundled('node', source)).toMatchObject({
    kind: 'refused',
    reason: expect.stringMatching(/^node:process comes into the bundle by .*node\.ts/),
  });
});

test('what is too long is refused', async () => {
  const source = `export default () => '${'x'.repeat(bundleBytesMax)}';\n`;
  expect(await bundled('long', source)).toMatchObject({
    kind: 'refused',
    reason: expect.stringMatching(/^the bundle has \d+ bytes, more than the 20480 allowed$/),
  });
});

test('what does not compile, or is not there, is refused with the reason', async () => {
  expect(await bundled('broken', 'export default (;')).toMatchObject({
    kind: 'refused',
    reason: expect.stringMatching(/^the scenario cannot be bundled: .*broken\.ts/),
  });
  const missing = await bundle({ entry: join(folder, 'missing.ts'), outfile: join(folder, 'missing.js') });
  expect(missing.kind).toBe('refused');
});
