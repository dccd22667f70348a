import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { outputsOf } from './k6-outputs.ts';
import { writeScript } from './testing/fake-k6.ts';

const root = await temporaryFolder();

test.each([
  [
    'names its outputs, with those of extensions',
    "invalid output type 'none-of-these', available types are: csv, json, xk6-kafka",
    ['csv', 'json', 'xk6-kafka'],
  ],
  ['says something else', 'could not initialize', null],
])('a k6 that %s', async (what, says, outputs) => {
  const path = await writeScript(join(root, what.slice(0, 5)), [`echo "${says}" >&2`, 'exit 255']);
  expect(await outputsOf({ path }, { env: {} })).toEqual(outputs);
});
