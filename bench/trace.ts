import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { openHttpClient } from '../checks/http-client.ts';
import type { ProbeRequest } from '../checks/steps.ts';
import { median } from './cpu-seconds.ts';
import { inTurns } from './in-turns.ts';
import { deploymentOf, type Target } from './k6/scripts.ts';
import type { Bench, Measure } from './measure.ts';
import { openBenchRecorder } from './trace/recorder.ts';
import type { WriteCost } from './trace/write.ts';

const atOnce = 50;
const requestsEach = 4_000;

const exchanges = 10_000_000;

export const traceBench: Bench = {
  name: 'trace',
  about: 'the checks’ client with and without its trace being written, and the memory of a long trace',
  remarks: [
    'Of what a line costs the thread that sends (about 5 µs of 36 a request, by a profile), handing it to the operating system and making its JSON take a good third each, and looking for keys in what a target answers most of the rest. A look for keys and a line for each answer cannot go: a trace without them would give keys away, or lack what it proves by. Answers of one turn are written by one call; a line never waits longer than for the end of the turn in which its answer came.',
  ],
  run: async (say, { secondsEach }) => [await rates(say, secondsEach), await memory(say)],
};

type Say = (line: string) => void;

/** By the CPU time of the thread that sends: what else runs on the machine changes it little. */
async function rates(say: Say, secondsEach: number): Promise<Measure> {
  const worker = new Worker(new URL('./k6/service-worker.ts', import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), 'conformance-bench-'));
  try {
    const [{ admitting }] = (await once(worker, 'message')) as [{ readonly admitting: Target }];
    const recorder = openBenchRecorder(join(folder, 'trace.ndjson'));
    say(`${requestsEach} requests in turn, ${atOnce} at once: without a trace, with it`);
    const bare = { onSent: undefined, onExchange: () => undefined };
    const written = { onSent: recorder.sent, onExchange: recorder.exchange };
    const figures = await inTurns(secondsEach, {
      peer: () => ratePerCpuSecond(admitting, bare),
      ours: () => ratePerCpuSecond(admitting, written),
    });
    recorder.end({ reason: null });
    const [peer, ours] = [median(figures.peer), median(figures.ours)];
    const ratio = ours / peer;
    return {
      measured: 'requests a CPU second of the thread that sends them',
      ours: `${Math.round(ours)} (with its trace)`,
      peer: `${Math.round(peer)} (without)`,
      ratio,
      bar: { text: '≥ 0.97', isMet: ratio >= 0.97 },
    };
  } finally {
    worker.postMessage('close');
    await once(worker, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
}

type Hooks = Pick<Parameters<typeof openHttpClient>[0], 'onSent' | 'onExchange'>;

async function ratePerCpuSecond(target: Target, hooks: Hooks): Promise<number> {
  const client = openHttpClient({
    deployment: deploymentOf(target, 60),
    keys: [{ alias: 'A', secret: target.key }],
    runId: 'bench',
    userAgent: 'bench',
    signal: () => new AbortController().signal,
    ...hooks,
  });
  const request: ProbeRequest = { scope: 'messages', route: 'main', key: 'A', credential: 'valid' };
  const together = Array.from({ length: atOnce }, () => request);
  try {
    await client.warm('messages');
    await client.send('warm', together);
    const before = process.threadCpuUsage();
    for (let sent = 0; sent < requestsEach; sent += atOnce) await client.send('bench', together);
    const { user, system } = process.threadCpuUsage(before);
    return requestsEach / ((user + system) / 1e6);
  } finally {
    await client.close();
  }
}

/** The heap that is in use after a collection may differ by so much, MB. */
const flatMegabytes = 8;

async function memory(say: Say): Promise<Measure> {
  say(`writing ${exchanges.toLocaleString('en')} exchanges`);
  const script = join(import.meta.dirname, 'trace', 'write.ts');
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, String(exchanges)]);
  const { firstMegabytes, lastMegabytes, residentMegabytes, cpuSeconds } = JSON.parse(stdout) as WriteCost;
  return {
    measured: `heap in use after ${exchanges.toLocaleString('en')} exchanges were written, beside that after a tenth`,
    ours: `${lastMegabytes.toFixed(1)} MB (${residentMegabytes.toFixed(0)} MB resident at most, ${cpuSeconds.toFixed(0)} CPU s)`,
    peer: `${firstMegabytes.toFixed(1)} MB`,
    ratio: lastMegabytes / firstMegabytes,
    bar: {
      text: `at most ${flatMegabytes} MB more`,
      isMet: lastMegabytes - firstMegabytes <= flatMegabytes,
    },
  };
}
