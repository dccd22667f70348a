import { randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { Pool } from 'undici';
import { documentedLimits, type Limits } from '../contract/scopes.ts';
import type { StoreSettings } from '../service/node-gates.ts';
import { startRedis } from '../service/testing/redis-server.ts';
import type { Bench, Measure } from './measure.ts';

export type ServedSettings = { readonly store: StoreSettings; readonly limits: Limits; readonly key: string };

const connections = 50;
const roundMs = 5_000;
/** Rounds of each, so that each is measured for 30 s. */
const rounds = 6;

/** What is asked for: a path with hardly a limit, and one whose limit is spent with its first request. */
const kinds = [
  { name: '2xx', path: '/v1/messages/msg_reference', status: 200 },
  { name: '429', path: '/v1/status', status: 429 },
] as const;

const limits: Limits = { ...documentedLimits, messages: 1_000_000, standard: 1 };

/** The service that counts in Redis beside the same service that counts in its own memory. */
export const storeBench: Bench = {
  name: 'store',
  about: `one node that counts in Redis (on a Unix socket); the peer counts in memory; ${connections} connections, 30 s of each in turns`,
  run: async (say) => {
    const redis = await startRedis();
    const key = randomBytes(24).toString('base64url');
    const running: Served[] = [];
    const start = async (store: StoreSettings): Promise<Served> => {
      const one = await served({ store, limits, key });
      running.push(one);
      return one;
    };
    try {
      const inRedis = await start({ kind: 'redis', url: redis.url });
      const inMemory = await start({ kind: 'memory' });
      const measures: Measure[] = [];
      for (const kind of kinds) {
        const ours: Round[] = [];
        const peers: Round[] = [];
        // The first of each is not counted: it compiles, and spends the limit of one request.
        for (let round = 0; round <= rounds; round += 1) {
          say(`${kind.name}, ${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}`);
          const counted = round > 0;
          const one = await pressed(inRedis.url, key, { ...kind, counted });
          const other = await pressed(inMemory.url, key, { ...kind, counted });
          if (!counted) continue;
          ours.push(one);
          peers.push(other);
        }
        measures.push(...measuresOf(kind.name, ours, peers));
      }
      return measures;
    } finally {
      await Promise.all(running.map((one) => one.stop()));
      await redis.remove();
    }
  },
};

type Served = { readonly url: string; stop(): Promise<unknown> };

function served(settings: ServedSettings): Promise<Served> {
  const worker = new Worker(new URL('./store-worker.ts', import.meta.url), { workerData: settings });
  return new Promise((resolve, reject) => {
    worker.once('message', (url: string) => resolve({ url, stop: () => worker.terminate() }));
    worker.once('error', reject);
  });
}

type Round = { readonly requestsPerSecond: number; readonly latenciesMs: readonly number[] };

type Pressing = { readonly path: string; readonly status: number; readonly counted: boolean };

/** As many requests as each connection gets answered, one after another. */
async function pressed(url: string, key: string, { path, status, counted }: Pressing): Promise<Round> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const headers = { authorization: `Bearer ${key}` };
  const latenciesMs: number[] = [];
  const beganMs = performance.now();
  const endMs = beganMs + (counted ? roundMs : roundMs / 5);
  const client = async (): Promise<void> => {
    for (let sentMs = performance.now(); sentMs < endMs; sentMs = performance.now()) {
      const answer = await pool.request({ path, method: 'GET', headers });
      await answer.body.dump();
      latenciesMs.push(performance.now() - sentMs);
      if (counted && answer.statusCode !== status) throw new Error(`${path} answered ${answer.statusCode}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, client));
  } finally {
    await pool.destroy();
  }
  return { requestsPerSecond: (latenciesMs.length * 1_000) / (performance.now() - beganMs), latenciesMs };
}

function measuresOf(name: string, ours: readonly Round[], peers: readonly Round[]): readonly Measure[] {
  const rate = (of: readonly Round[]) => of.reduce((sum, one) => sum + one.requestsPerSecond, 0) / of.length;
  const latency = (of: readonly Round[], part: number) => {
    const sorted = of.flatMap(({ latenciesMs }) => latenciesMs).sort((left, right) => left - right);
    return sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  };
  const row = (measured: string, of: (rounds: readonly Round[]) => number, digits: number): Measure => ({
    measured: `${measured}, ${name}`,
    ours: of(ours).toFixed(digits),
    peer: of(peers).toFixed(digits),
    ratio: of(ours) / of(peers),
  });
  return [
    row('requests a second', rate, 0),
    row('latency, median, ms', (of) => latency(of, 0.5), 2),
    row('latency, 99 %, ms', (of) => latency(of, 0.99), 2),
  ];
}
