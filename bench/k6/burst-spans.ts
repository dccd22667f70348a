import process from 'node:process';
import { Pool } from 'undici';
import { planScenario } from '../../load/runner/plan-scenario.ts';
import { runScenario } from '../../load/runner/run-scenario.ts';
import { scenarios } from '../../load/runner/scenarios.ts';
import { burstSize } from './burst-size.ts';
import { deploymentOf, type Target } from './scripts.ts';

/** From the first request sent to the last answer, ms: one batch of k6's, most requests in a connection that is open. */
export async function k6Span(k6: string, target: Target): Promise<number> {
  const [burst] = scenarios;
  const deployment = deploymentOf(target, 60);
  const limits = { standard: 1, messages: (burstSize * 6) / 5, media: 1 };
  const planned = planScenario(burst, { deployment, limits, choices: {} });
  const { line, exchanges } = await runScenario({
    k6: { path: k6 },
    planned,
    deployment,
    runId: 'bench',
    userAgent: 'bench',
    env: process.env,
    keys: [{ alias: 'A', secret: target.key }],
  });
  if (line.state !== 'complete') throw new Error(line.reason ?? 'the burst is not complete');
  const sharp = exchanges.filter(({ purpose }) => purpose === 'burst');
  const ends = sharp.map(({ receivedMs }) => receivedMs ?? Number.NaN);
  return Math.max(...ends) - Math.min(...sharp.map(({ sentMs }) => sentMs));
}

/** The same by undici: a connection for each request, all of them open. */
export async function undiciSpan({ url, key }: Target): Promise<number> {
  const pool = new Pool(url, { connections: burstSize, pipelining: 1 });
  const send = async (authorization: string): Promise<number> => {
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path: '/v1/messages',
      headers: { authorization },
    });
    await body.dump();
    return statusCode;
  };
  const all = (authorization: string): Promise<number[]> =>
    Promise.all(Array.from({ length: burstSize }, () => send(authorization)));
  try {
    await all('Bearer none');
    const startMs = performance.now();
    const statuses = await all(`Bearer ${key}`);
    const spanMs = performance.now() - startMs;
    if (statuses.some((status) => status !== 200)) throw new Error('not every request was admitted');
    return spanMs;
  } finally {
    await pool.close();
  }
}
