/** A cluster, from outside: k6's scenario `nodes` against a service of three nodes. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { documentedLimits } from '../../contract/scopes.ts';
import { reportSchema } from '../../reports/result.ts';
import type { StoreSettings } from '../../service/node-gates.ts';
import { startService } from '../../service/server.ts';
import { type RedisServer, redisIsHere, startRedis } from '../../service/testing/redis-server.ts';
import { skipWithout } from '../../testing/needs.ts';
import { underSteadyClock } from '../../testing/steady-clock.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { inProcess } from '../testing/in-process.ts';
import { k6VariableBeforeAll } from '../testing/k6-for.ts';

const withRedis = redisIsHere();
let redis: RedisServer | null = null;
const k6For = k6VariableBeforeAll();

beforeAll(async () => {
  redis = withRedis ? await startRedis() : null;
});

afterAll(() => redis?.remove());

it.for([
  ['redis', 'held', 0],
  ['none', 'violated', 1],
] as const)(
  'three nodes on the store %s: load.nodes is %s',
  { timeout: 60_000 },
  async ([kind, verdict, exitCode], context) => {
    const k6 = k6For(context);
    if (kind === 'redis' && redis === null) skipWithout('redis', context);
    const store: StoreSettings =
      kind === 'redis' ? { kind, url: redis?.url ?? '', decisionMsMax: 15_000 } : { kind };
    const { code, stdout, stderr } = await underSteadyClock(() => burst(store, k6));
    const { clauses } = reportSchema.parse(JSON.parse(stdout));
    expect(clauses.find(({ id }) => id === 'load.nodes')?.verdict).toMatchObject({ kind: verdict });
    expect([code, stderr]).toEqual([exitCode, expect.any(String)]);
  },
);

/** One burst of k6 to a service of three nodes, with keys that nobody used before. */
async function burst(store: StoreSettings, k6: ReturnType<typeof k6For>) {
  const [first, second] = [randomUUID(), randomUUID()];
  const service = await startService({
    store,
    nodes: 3,
    windowMs: 60_000,
    graceMs: 0,
    limits: documentedLimits,
    keys: new Map([
      ['A', first],
      ['B', second],
    ]),
  });
  const env = { ...k6, KEY_A: first, KEY_B: second };
  const target = ['--url', service.urls.join(','), '--profile', 'reference', '--key-env', 'KEY_A,KEY_B'];
  const cwd = await temporaryFolder();
  try {
    return await inProcess(['load', 'nodes', ...target, '--allow-partial', '--json'], cwd, { env });
  } finally {
    await service.close();
  }
}
