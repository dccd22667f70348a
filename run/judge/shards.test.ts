import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseTrace, type Trace } from '../../contract/trace.ts';
import { groupsOf } from '../../judge/entries.ts';
import { examine } from '../../judge/examine.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { queueOf } from './shard-queue.ts';
import { beginThreads, shardsFor } from './shard-threads.ts';
import { beginInShards, sharedOf } from './shards.ts';
import { readTrace } from './trace-file.ts';

test.each([
  ['conforming', 2],
  ['fixed-window-first-request', 3],
  ['limit-minus-one', 2],
])('%s is judged by %i threads as by one', async (name, shards) => {
  const trace = await judgedTrace(name);
  const threads = beginThreads(shards - 1);
  expect(JSON.stringify(await beginInShards(trace, threads)())).toBe(JSON.stringify(examine(trace)));
  threads.end();
});

test('short traces are worth one thread, longer ones two, and those that are no one text all cores', () => {
  const cores = availableParallelism();
  expect(shardsFor({ text: 'a'.repeat(249_999) })).toBe(1);
  expect(shardsFor({ text: 'a'.repeat(250_000) })).toBe(Math.min(2, cores));
  expect(shardsFor({ text: '', rows: () => [] })).toBe(cores);
});

test('threads that end without an answer, or that nobody asks, cost nothing', async () => {
  const trace = await judgedTrace('conforming');
  const threads = beginThreads(2);
  threads.end();
  expect(await threads.identify(queueOf([]), 2)).toEqual([]);
  expect(JSON.stringify(await beginInShards(trace, threads)())).toBe(JSON.stringify(examine(trace)));
});

test('a trace that cannot be read ends the program at once, whatever threads wait', async () => {
  const path = join(await temporaryFolder(), 'trace.ndjson');
  await writeFile(path, `{"kind":"trace"}\n${'{"kind":"exchange"}\n'.repeat(20_000)}`);
  const ended = promisify(execFile)(process.execPath, [conformance, 'judge', path], { timeout: 60_000 });
  await expect(ended).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('line 1') });
}, 90_000);

const conformance = join(import.meta.dirname, '../../scripts/conformance.js');

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
