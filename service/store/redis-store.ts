import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import type { Decision, Rate } from '../../limiters/limiter.ts';
import { ServiceError } from '../service-error.ts';
import { overdueAfter } from './overdue.ts';
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
  const fail = (batch: readonly Asked[], reason: string): void => {
    health.failed(connection, reason);
    for (const { answer } of batch) answer(unavailable);
  };
  const overdue = overdueAfter<readonly Asked[]>(decisionMsMax, (batch) =>
    fail(batch, `no answer within ${decisionMsMax} ms`),
  );
  const decideAll = (batch: readonly Asked[]): void => {
    const begun = overdue.begin(batch);
    const given = argumentsOf(batch);
    const answered = (reply: unknown): void => {
      waiting -= batch.length;
      if (!overdue.end(begun)) return;
      const answers = storeAnswersOf(reply, batch.length);
      if (answers === null) {
        fail(batch, 'it gave an unexpected answer');
        return;
      }
      health.works(connection);
      for (let at = 0; at < batch.length; at += 1) batch[at]?.answer(answers[at] ?? unavailable);
    };
    const failed = (error: unknown): void => {
      waiting -= batch.length;
      if (overdue.end(begun)) fail(batch, reasonOf(error));
    };
    // No function that waits: each of them takes a decision longer than the counting.
    client.sendCommand(['EVALSHA', scriptDigest, ...given]).then(answered, (error: unknown) => {
      // After its start, Redis does not know the script.
      if (!isScriptUnknown(error)) failed(error);
      else client.sendCommand(['EVAL', script, ...given]).then(answered, failed);
    });
  };
  let wereAlone = true;
  const sendAsked = (): void => {
    wereAlone = asked.length === 1;
    while (asked.length > 0) decideAll(asked.splice(0, batchMax));
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

const script = readFileSync(join(import.meta.dirname, 'sliding-log.lua'), 'utf8');

const scriptDigest = hash('sha1', script);

/** What the script is given. */
function argumentsOf(batch: readonly Asked[]): readonly string[] {
  const given = [String(batch.length)];
  for (const { key } of batch) given.push(key);
  for (const { limit, windowMs, cost } of batch)
    given.push(String(limit), String(Math.max(1, Math.round(windowMs * 1_000))), String(cost));
  return given;
}

function isScriptUnknown(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}

/** Numbers that the script gives for one decision. */
const numbersEach = 5;

/** `null` where it is not what the script gives for so many decisions. */
function storeAnswersOf(reply: unknown, count: number): readonly StoreAnswer[] | null {
  if (!Array.isArray(reply) || reply.length !== count * numbersEach) return null;
  for (const number of reply) if (!Number.isSafeInteger(number)) return null;
  const answers: StoreAnswer[] = [];
  for (let at = 0; at < reply.length; at += numbersEach) answers.push(storeAnswerOf(reply, at));
  return answers;
}

function storeAnswerOf(reply: readonly number[], at: number): StoreAnswer {
  const resetMs = (reply[at + 2] as number) / 1_000;
  const enoughMs = (reply[at + 3] as number) / 1_000;
  const nowMs = (reply[at + 4] as number) / 1_000;
  const decision = {
    admitted: reply[at] === 1,
    remaining: reply[at + 1] as number,
    resetMs,
    retryAfterMs: enoughMs - nowMs,
  };
  return { kind: 'decided', decision, nowMs };
}

/** Redis and its client put no password into their errors. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.split('\n', 1)[0]?.slice(0, 200) ?? '';
}
