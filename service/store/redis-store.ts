import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandParser, createClient, defineScript } from '@redis/client';
import type { Decision, Rate } from '../../limiters/limiter.ts';
import { ServiceError } from '../service-error.ts';
import type { RedisUrl } from './redis-url.ts';
import type { StoreHealth } from './store-health.ts';

/** The answer of a store to one request. Moments are on the store's clock. */
export type StoreAnswer =
  | { readonly kind: 'decided'; readonly decision: Decision; readonly nowMs: number }
  /** The request may have been counted all the same. */
  | { readonly kind: 'unavailable' };

/** Windows that a store outside this process keeps and decides about. Each is an exact sliding log. */
export type RateStore = {
  /** Counts a request. Answers in bounded time and never rejects. */
  decide(windowKey: string, rate: Rate): Promise<StoreAnswer>;
  close(): void;
};

export type RedisStoreSettings = {
  readonly address: RedisUrl;
  /** Prefix of the name of every window. Services with the same prefix count together. */
  readonly namespace: string;
  /** Number of this connection among those that `health` knows. */
  readonly connection: number;
  readonly health: StoreHealth;
  /** How long a decision may take. */
  readonly decisionMsMax: number;
};

/**
 * Opens one connection to a Redis that keeps the windows. A lost connection is opened again, without a limit. The store
 * is unavailable meanwhile, and whenever Redis takes longer than `decisionMsMax`.
 * @throws {ServiceError} where the first connection cannot be opened.
 */
export async function openRedisStore(settings: RedisStoreSettings): Promise<RateStore> {
  const { address, namespace, connection, health, decisionMsMax } = settings;
  let opened = false;
  const client = createClient({
    url: address.url,
    // A request that waits for a connection would be answered too late to be of use.
    disableOfflineQueue: true,
    // A hosted cluster announces its maintenance. To use that, the client parses the address in a way that fails for a
    // Unix socket.
    maintNotifications: 'disabled',
    pingInterval: silenceMsMax / 2,
    socket: {
      connectTimeout: silenceMsMax,
      socketTimeout: silenceMsMax,
      reconnectStrategy: (retries) => opened && Math.min(pauseMsMax, 50 * 2 ** Math.min(retries, 10)),
    },
    scripts: { slidingLog },
  });
  client.on('error', (error: unknown) => opened && health.failed(connection, reasonOf(error)));
  client.on('ready', () => health.works(connection));
  try {
    await client.connect();
  } catch (error) {
    throw new ServiceError('store', `${address.shown} cannot be used: ${reasonOf(error)}.`);
  }
  opened = true;

  let waiting = 0;
  return {
    async decide(windowKey, { limit, windowMs }) {
      if (!client.isReady) return unavailable;
      if (waiting >= waitingMax) return unavailable;
      waiting += 1;
      const reply = client
        .slidingLog(`${namespace}:${windowKey}`, limit, Math.max(1, Math.round(windowMs * 1_000)))
        .finally(() => {
          waiting -= 1;
        });
      try {
        const answer = storeAnswerOf(await within(decisionMsMax, reply));
        health.works(connection);
        return answer;
      } catch (error) {
        health.failed(connection, reasonOf(error));
        return unavailable;
      }
    },
    close: () => client.destroy(),
  };
}

/** A connection counts as lost after this long without data. */
const silenceMsMax = 2_000;

/** Longest pause before a connection is opened again. */
const pauseMsMax = 500;

/** Decisions under way at once on one connection. */
const waitingMax = 10_000;

const unavailable: StoreAnswer = { kind: 'unavailable' };

const slidingLog = defineScript({
  SCRIPT: readFileSync(join(import.meta.dirname, 'sliding-log.lua'), 'utf8'),
  NUMBER_OF_KEYS: 1,
  parseCommand(parser: CommandParser, key: string, limit: number, windowMicroseconds: number) {
    parser.pushKey(key);
    parser.push(String(limit), String(windowMicroseconds));
  },
  transformReply: (reply: unknown): unknown => reply,
});

function storeAnswerOf(reply: unknown): StoreAnswer {
  if (!Array.isArray(reply) || reply.length !== 4 || !reply.every(Number.isSafeInteger)) {
    throw new Error('it gave an unexpected answer');
  }
  const [admitted, remaining, resetMicroseconds, nowMicroseconds] = reply as [number, number, number, number];
  const decision = {
    admitted: admitted === 1,
    remaining,
    resetMs: resetMicroseconds / 1_000,
    retryAfterMs: remaining > 0 ? 0 : (resetMicroseconds - nowMicroseconds) / 1_000,
  };
  return { kind: 'decided', decision, nowMs: nowMicroseconds / 1_000 };
}

/** The same promise, but it rejects after `limitMs`. */
function within<Value>(limitMs: number, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Redis and its client put no password into their errors. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.split('\n', 1)[0]?.slice(0, 200) ?? '';
}
