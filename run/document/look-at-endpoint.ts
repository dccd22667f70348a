import { randomBytes } from 'node:crypto';
import { setTimeout as passed } from 'node:timers/promises';
import { openHttpClient } from '../../checks/http-client.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { Endpoint } from '../identify/endpoint.ts';
import { tool } from '../version.ts';
import type { AnswerHeaders } from './limit-reading.ts';
import type { Look } from './seen-limits.ts';

/** What a few requests to an endpoint met. */
export type LookedAt = {
  /** Answers to the request itself, with the key where there is one. */
  readonly looks: readonly Look[];
  /** The answer to the same request without the key; `null` where there is no key, or no answer. */
  readonly withoutKey: Pick<Exchange, 'status' | 'body'> | null;
  /** Why there was no answer, of the first request that had none. */
  readonly failure: string | null;
};

/** How many requests are sent with what was given, and how many without the key. */
export function lookRequests({ keys }: Pick<Endpoint, 'keys'>): {
  readonly main: number;
  readonly withoutKey: number;
} {
  return { main: pausesMs.length, withoutKey: keys.length > 0 ? 1 : 0 };
}

/** Before each request, ms: two at once tell what one costs, and a later one how the end of a window moves. */
const pausesMs = [0, 0, 2_500] as const;

/** Sends one request a few times, one after another, and ends at the first that is not answered. */
export async function lookAtEndpoint(endpoint: Endpoint, signal: AbortSignal): Promise<LookedAt> {
  const { deployment, transport, keys, credential } = endpoint;
  const looks: Look[] = [];
  let headers: AnswerHeaders = {};
  const client = openHttpClient({
    deployment: { ...deployment, connectionsPerScope: 1 },
    transport,
    keys,
    runId: randomBytes(4).toString('hex'),
    userAgent: `${tool.name}/${tool.version}`,
    signal: () => signal,
    onHeaders: (all) => {
      headers = joined(all);
    },
    onExchange: () => undefined,
  });
  const ask = async (asked: 'main' | 'withoutKey'): Promise<Exchange | undefined> => {
    const isMain = asked === 'main';
    const key = isMain ? (keys[0]?.alias ?? null) : null;
    const [exchange] = await client.send('look', [
      { scope: 'standard', route: 'main', key, credential: isMain ? credential : 'absent' },
    ]);
    return exchange;
  };
  try {
    for (const pauseMs of pausesMs) {
      await passed(pauseMs, undefined, { signal });
      const exchange = await ask('main');
      const status = exchange?.status ?? null;
      if (status === null)
        return { looks, withoutKey: null, failure: exchange?.failure ?? 'it was not answered' };
      looks.push({ status, headers, receivedMs: exchange?.wallReceivedMs ?? exchange?.receivedMs ?? 0 });
    }
    const withoutKey = keys.length === 0 ? undefined : await ask('withoutKey');
    return { looks, withoutKey: withoutKey ?? null, failure: null };
  } finally {
    await client.close();
  }
}

function joined(all: Readonly<Record<string, string | readonly string[] | undefined>>): AnswerHeaders {
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]),
  );
}
