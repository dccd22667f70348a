import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { k6Version } from '../../load/runner/find-k6.ts';

const root = join(import.meta.dirname, '..', '..');
const text = await readFile(join(root, 'Dockerfile'), 'utf8');

test('the image has the k6, the Node and the version of this project', async () => {
  const { version, devDependencies } = z
    .object({ version: z.string(), devDependencies: z.object({ node: z.string() }) })
    .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  const node = `node:${devDependencies.node}-trixie-slim`;
  expect(bases).toEqual([`grafana/k6:${k6Version}`, node, node]);
  expect(text).toContain(`image.version="${version}"`);
});

test('the image runs as nobody special, with nothing that asks after its health', () => {
  expect(text).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  expect(text).toMatch(/^HEALTHCHECK NONE$/m);
});

test('no key and nothing built gets into the image', async () => {
  const left = (await readFile(join(root, '.dockerignore'), 'utf8')).split('\n');
  expect(left).toEqual(expect.arrayContaining(['.env', '.env.*', '.git', 'dist', 'node_modules', 'runs']));
});
