import { Pool } from 'undici';
import { documentedLimits, documentedWindowMs, scopes } from '../contract/scopes.ts';

export type Pressure = {
  /** Latencies of all answers, ms. */
  stop(): Promise<readonly number[]>;
};

const paths = { standard: '/v1/status', messages: '/v1/messages/msg_reference', media: '/v1/media' } as const;

/** So many times the limit, as the load scenario `over-pressure` asks for. */
const timesTheLimit = 3;

/** Three times the limit of every scope, evenly spaced whatever the answers: most of it is refused. */
export function pressApi(url: string, key: string): Pressure {
  const pool = new Pool(url, { connections: 20, pipelining: 1 });
  const headers = { authorization: `Bearer ${key}` };
  const latenciesMs: number[] = [];
  const ask = async (path: string): Promise<void> => {
    const sentMs = performance.now();
    const answer = await pool.request({ path, method: 'GET', headers });
    await answer.body.dump();
    latenciesMs.push(performance.now() - sentMs);
  };
  const timers = scopes.map((scope) =>
    setInterval(
      () => void ask(paths[scope]).catch(() => undefined),
      documentedWindowMs / (timesTheLimit * documentedLimits[scope]),
    ),
  );
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await pool.close();
      return latenciesMs;
    },
  };
}
