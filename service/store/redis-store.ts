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
  /** Counts a request that takes `cost` places of its window. Answers in bounded time and never rejects. */
  decide(windowKey: string, rate: Rate, cost: number): Promise<StoreAnswer>;
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

  const asked: Asked[] = [];
  let waiting = 0;
  const decideAll = async (batch: readonly Asked[]): Promise<void> => {
    try {
      const reply = client.slidingLog(batch).finally(() => {
        waiting -= batch.length;
      });
      const answers = storeAnswersOf(await within(decisionMsMax, reply), batch.length);
      health.works(connection);
      for (const [at, { answer }] of batch.entries()) answer(answers[at] ?? unavailable);
    } catch (error) {
      health.failed(connection, reasonOf(error));
      for (const { answer } of batch) answer(unavailable);
    }
  };
  let wereAlone = true;
  const sendAsked = (): void => {
    wereAlone = asked.length === 1;
    while (asked.length > 0) void decideAll(asked.splice(0, batchMax));
  };
  return {
    decide(windowKey, { limit, windowMs }, cost) {
      if (!client.isReady || waiting >= waitingMax) return Promise.resolve(unavailable);
      waiting += 1;
      return new Promise((answer) => {
        const count = asked.push({ key: `${namespace}:${windowKey}`, limit, windowMs, cost, answer });
        if (count > 1) return;
        // At the end of the turn, so that what all connections of a node asked in it goes together. Where requests come
        // one after another, there is nothing to wait for.
        if (wereAlone && waiting === 1) sendAsked();
        else setImmediate(sendAsked);
      });
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

/** Decisions in one command: Redis does nothing else while it takes them, and each takes it some microseconds. */
const batchMax = 100;

/** A decision that is asked for. */
type Asked = Rate & {
  readonly key: string;
  readonly cost: number;
  readonly answer: (answer: StoreAnswer) => void;
};

const unavailable: StoreAnswer = { kind: 'unavailable' };

const slidingLog = defineScript({
  SCRIPT: readFileSync(join(import.meta.dirname, 'sliding-log.lua'), 'utf8'),
  parseCommand(parser: CommandParser, batch: readonly Asked[]) {
    parser.push(String(batch.length));
    for (const { key } of batch) parser.pushKey(key);
    for (const { limit, windowMs, cost } of batch) {
      parser.push(String(limit), String(Math.max(1, Math.round(windowMs * 1_000))), String(cost));
    }
  },
  transformReply: (reply: unknown): unknown => reply,
});

/** Numbers that the script gives for one decision. */
const numbersEach = 5;

/** @throws where it is not what the script gives for so many decisions. */
function storeAnswersOf(reply: unknown, count: number): readonly StoreAnswer[] {
  if (!Array.isArray(reply) || reply.length !== count * numbersEach || !reply.every(Number.isSafeInteger)) {
    throw new Error('it gave an unexpected answer');
  }
  const answers: StoreAnswer[] = [];
  for (let at = 0; at < reply.length; at += numbersEach) answers.push(storeAnswerOf(reply, at));
  return answers;
}

function storeAnswerOf(reply: readonly number[], at: number): StoreAnswer {
  const [resetMs, enoughMs, nowMs] = [2, 3, 4].map((place) => (reply[at + place] as number) / 1_000) as [
    number,
    number,
    number,
  ];
  const decision = {
    admitted: reply[at] === 1,
    remaining: reply[at + 1] as number,
    resetMs,
    retryAfterMs: enoughMs - nowMs,
  };
  return { kind: 'decided', decision, nowMs };
}

/** The same promise, but it rejects after `limitMs`. */
function within<Value>(limitMs: number, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
    promise.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/** Redis and its client put no password into their errors. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.split('\n', 1)[0]?.slice(0, 200) ?? '';
}
