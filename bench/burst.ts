import { once } from 'node:events';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { Agent, fetch } from 'undici';
import { openHttpClient } from '../checks/http-client.ts';
import type { ProbeRequest } from '../checks/steps.ts';
import type { Exchange } from '../contract/exchange.ts';
import { findK6 } from '../load/runner/find-k6.ts';
import { median } from './cpu-seconds.ts';
import { packageOf } from './gallery/programs.ts';
import { inTurns } from './in-turns.ts';
import { burstSize } from './k6/burst-size.ts';
import { k6Span } from './k6/burst-spans.ts';
import { runK6 } from './k6/run-k6.ts';
import { deploymentOf, type Target } from './k6/scripts.ts';
import type { Bench, Measure } from './measure.ts';

export const burstBench: Bench = {
  name: 'burst',
  about: `${burstSize} requests at once on connections that are open, most of which have carried one before: from the first to the last as they arrive at the server, which is alike for all`,
  run: async (say, { secondsEach }) => {
    const found = await findK6({ env: process.env });
    if (found.kind !== 'found')
      throw new Error(`no k6: ${found.kind === 'aborted' ? 'aborted' : found.reason}`);
    const k6 = found.k6.path;
    const worker = new Worker(new URL('./k6/arrivals-worker.ts', import.meta.url));
    try {
      const [{ url }] = (await once(worker, 'message')) as [{ readonly url: string }];
      const server: Server = { target: { url, key: 'key-of-the-benchmark' }, arrivals: () => taken(worker) };
      const autocannon = await packagedAutocannon();
      say('in turn: the checks’ client, fetch, autocannon, k6’s batch in our script, 300 clients of k6');
      const figures = await inTurns(secondsEach, {
        ours: () => checksSpan(server),
        fetch: () => fetchSpan(server),
        autocannon: () => autocannonSpan(server, autocannon),
        batch: () => batchSpan(server, k6),
        clients: () => clientsSpan(server, k6),
      });
      const ours = median(figures.ours);
      return (['fetch', 'autocannon', 'batch', 'clients'] as const).map((name): Measure => {
        const peer = median(figures[name]);
        return {
          measured: `span at the server, beside ${named[name]}`,
          ours: `${ours.toFixed(1)} ms`,
          peer: `${peer.toFixed(1)} ms`,
          ratio: ours / peer,
          bar: { text: '< 1', isMet: ours < peer },
        };
      });
    } finally {
      worker.postMessage('close');
      await once(worker, 'exit');
    }
  },
};

const named = {
  fetch: 'fetch (undici), connections open',
  autocannon: `autocannon, ${burstSize} connections, whose first answers came together`,
  batch: 'a batch of k6, in our script',
  clients: `${burstSize} clients of k6, one request each at the same moment`,
};

type Arrivals = readonly { readonly atMs: number; readonly id: string }[];

type Server = { readonly target: Target; readonly arrivals: () => Promise<Arrivals> };

async function taken(worker: Worker): Promise<Arrivals> {
  worker.postMessage('take');
  const [arrivals] = (await once(worker, 'message')) as [Arrivals];
  return arrivals;
}

function spanOf(arrivals: Arrivals): number {
  if (arrivals.length !== burstSize) throw new Error(`${arrivals.length} of ${burstSize} requests arrived`);
  const moments = arrivals.map(({ atMs }) => atMs);
  return Math.max(...moments) - Math.min(...moments);
}

/** As a probe sends it. Each request has one record, in the order of the requests, and none is another's. */
async function checksSpan({ target, arrivals }: Server): Promise<number> {
  const recorded: Exchange[] = [];
  const announced: string[] = [];
  const client = openHttpClient({
    deployment: { ...deploymentOf(target, 60), connectionsPerScope: burstSize },
    keys: [{ alias: 'A', secret: target.key }],
    runId: 'bench',
    userAgent: 'bench',
    signal: () => new AbortController().signal,
    onSent: ({ requests }) => announced.push(...requests.map(({ requestId }) => requestId)),
    onExchange: (exchange) => recorded.push(exchange),
  });
  const request: ProbeRequest = { scope: 'messages', route: 'main', key: 'A', credential: 'valid' };
  try {
    const together = Array.from({ length: burstSize }, () => request);
    await client.warm('messages');
    await client.send('before', together);
    await arrivals();
    recorded.length = 0;
    announced.length = 0;
    const answered = await client.send('burst', together);
    const seen = await arrivals();
    const ids = answered.map(({ requestId }) => requestId);
    const isWhole =
      recorded.length === burstSize &&
      new Set(ids).size === burstSize &&
      String(announced) === String(ids) &&
      String(ids.toSorted()) === String(seen.map(({ id }) => id).toSorted());
    if (!isWhole) throw new Error('a record was lost, or is out of order');
    return spanOf(seen);
  } finally {
    await client.close();
  }
}

async function fetchSpan({ target, arrivals }: Server): Promise<number> {
  const dispatcher = new Agent({ connections: burstSize, pipelining: 1 });
  const all = (authorization: string) =>
    Promise.all(
      Array.from({ length: burstSize }, async () => {
        const answer = await fetch(`${target.url}/v1/messages`, { dispatcher, headers: { authorization } });
        await answer.arrayBuffer();
      }),
    );
  try {
    await all('Bearer none');
    await all(`Bearer ${target.key}`);
    return spanOf(await arrivals());
  } finally {
    await dispatcher.close();
  }
}

type Autocannon = (options: {
  readonly url: string;
  readonly connections: number;
  readonly amount: number;
  readonly requests: readonly { readonly path: string }[];
}) => Promise<{ readonly '2xx': number }>;

async function packagedAutocannon(): Promise<Autocannon> {
  return ((await packageOf('autocannon')) as { readonly default: Autocannon }).default;
}

/** It opens a connection only to send: each asks once before, and all of those are answered together. */
async function autocannonSpan({ target, arrivals }: Server, autocannon: Autocannon): Promise<number> {
  const requests = [{ path: '/ready' }, { path: '/v1/messages' }];
  const amount = requests.length * burstSize;
  const sent = await autocannon({ url: target.url, connections: burstSize, amount, requests });
  if (sent['2xx'] !== amount)
    throw new Error(`${sent['2xx']} of ${amount} requests of autocannon were answered`);
  return spanOf(await arrivals());
}

/** The last of what our script sends is its burst. */
async function batchSpan({ target, arrivals }: Server, k6: string): Promise<number> {
  await k6Span(k6, target);
  const all = await arrivals();
  return spanOf(all.slice(-burstSize));
}

async function clientsSpan({ target, arrivals }: Server, k6: string): Promise<number> {
  const script = `
import http from 'k6/http';
import { sleep } from 'k6';
export const options = {
  scenarios: { bare: { executor: 'per-vu-iterations', vus: ${burstSize}, iterations: 1, maxDuration: '60s' } },
};
export function setup() { return Date.now() + 3000; }
export default function (atMs) {
  http.get('${target.url}/warm');
  sleep(Math.max(0, atMs - Date.now()) / 1000);
  http.get('${target.url}/v1/messages');
}
`;
  await runK6({ k6, script, env: {} });
  return spanOf(await arrivals());
}
