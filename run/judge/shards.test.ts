import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import { parseTrace, type Trace } from '../../contract/trace.ts';
import { groupsOf } from '../../judge/entries.ts';
import { examine } from '../../judge/examine.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { judgeMerged } from './judge-deployment.ts';
import { documentAlone } from './judging.ts';
import { queueOf } from './shard-queue.ts';
import { beginThreads, type ShardThreads, shardsFor, shardsForLong, threadsBeside } from './shard-threads.ts';
import { beginInShards, sharedOf } from './shards.ts';
import { readTrace, type TraceFile } from './trace-file.ts';

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

test('several traces that are judged as one are, by as many threads', async () => {
  const path = join(import.meta.dirname, '../../judge/testdata/conforming.ndjson');
  const whole = await readTrace(path);
  const [header = '', ...rows] = whole.text.split('\n');
  const half = (which: number): TraceFile => ({
    path,
    text: [header, ...rows.filter((row, at) => !row.includes('"kind":"exchange"') || at % 2 === which)].join(
      '\n',
    ),
  });
  const merging = { files: [half(0), half(1)], clockOffsetMsMax: 0 };
  const asked: number[] = [];
  const identify = async (_queue: unknown, count: number) => {
    asked.push(count);
    return [];
  };
  const said = async (threads: ShardThreads | null): Promise<string> => {
    const { report } = await judgeMerged(merging, documentAlone, () => threads);
    return JSON.stringify({ ...report, judgedAt: '' });
  };
  expect(await said({ identify, end: () => undefined })).toBe(await said(null));
  expect(asked).toEqual([sharedOf(groupsOf(parseTrace(whole.text))).length]);
});

test('short traces are worth one thread, and longer ones two', () => {
  const cores = availableParallelism();
  expect(shardsFor(249_999)).toBe(1);
  expect(shardsFor(250_000)).toBe(Math.min(2, cores));
});

test('traces that are no one text are worth all cores, but one where few of their requests are looked at to identify', async () => {
  const { header, exchanges } = await judgedTrace('conforming');
  const [exchange] = exchanges as [Exchange];
  // Two keys in three scopes, of each of which ten thousand requests are looked at.
  const shards = (count: number, keys = ['A', 'B']): number =>
    shardsForLong({ header: { ...header, keys }, exchanges: Array.from({ length: count }, () => exchange) });
  expect(shards(240_000)).toBe(availableParallelism());
  expect(shards(240_001)).toBe(1);
  expect(shards(240_001, ['A', 'B', 'C'])).toBe(availableParallelism());
});

test('threads are begun before a trace is read where their number is known, else when it was, and ended', async () => {
  const trace = await judgedTrace('conforming');
  const short = threadsBeside([{ text: '' }], {});
  expect(short.of(trace)).toBeNull();
  const asked = threadsBeside([{ text: '', rows: () => [] }], { shards: 2 });
  const [begun] = [asked.of(trace)];
  expect(begun).not.toBeNull();
  expect(asked.of(trace)).toBe(begun);
  asked.end();
  expect(await begun?.identify(queueOf([]), 1)).toEqual([]);
  const long = threadsBeside([{ text: '', rows: () => [] }], {});
  expect(long.of({ ...trace, exchanges: [] }) === null).toBe(availableParallelism() === 1);
  long.end();
  expect(threadsBeside([{ text: '', rows: () => [] }], { verdictsAlone: true }).of(trace)).toBeNull();
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
