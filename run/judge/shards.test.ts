import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseTrace, type Trace } from '../../contract/trace.ts';
import { groupsOf } from '../../judge/entries.ts';
import { examine } from '../../judge/examine.ts';
import { examineInShards, sharedOf } from './shards.ts';
import { readTrace } from './trace-file.ts';

test.each([
  ['conforming', 2],
  ['fixed-window-first-request', 3],
  ['limit-minus-one', 2],
])('%s is judged by %i threads as by one', async (name, shards) => {
  const trace = await judgedTrace(name);
  expect(JSON.stringify(await examineInShards(trace, shards))).toBe(JSON.stringify(examine(trace)));
});

test('groups whose requests cost more than 1 are identified by no thread', async () => {
  const trace = await judgedTrace('limit-minus-one');
  expect(sharedOf(groupsOf(trace))).not.toEqual([]);
  const exchanges = trace.exchanges.map((exchange) => ({ ...exchange, cost: 2 }));
  expect(sharedOf(groupsOf({ ...trace, exchanges }))).toEqual([]);
});

async function judgedTrace(name: string): Promise<Trace> {
  const path = join(import.meta.dirname, `../../judge/testdata/${name}.ndjson`);
  return parseTrace((await readTrace(path)).text);
}
