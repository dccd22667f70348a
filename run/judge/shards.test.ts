import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseTrace } from '../../contract/trace.ts';
import { examine } from '../../judge/examine.ts';
import { examineInShards } from './shards.ts';
import { readTrace } from './trace-file.ts';

test.each([
  ['conforming', 2],
  ['fixed-window-first-request', 3],
  ['limit-minus-one', 2],
])('%s is judged by %i threads as by one', async (name, shards) => {
  const path = join(import.meta.dirname, `../../judge/testdata/${name}.ndjson`);
  const trace = parseTrace((await readTrace(path)).text);
  expect(JSON.stringify(await examineInShards(trace, shards))).toBe(JSON.stringify(examine(trace)));
});
