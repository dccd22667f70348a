import http from 'k6/http';
import { clientIn, type SharedStates, sharedStates } from '../../backoff/shared-states.ts';
import { type Answer, alone, givesUp, nobody, type Strategy } from '../../backoff/strategy.ts';
import type { DrainParameters } from './drain-parameters.ts';

export type Draining = {
  readonly parameters: DrainParameters;
  readonly key: string;
  readonly strategy: Strategy<unknown>;
};

/**
 * Clients that work off a backlog as those of backoff/simulate.ts do, with the same strategies, over sockets. Gives
 * the round trip of each request, ms.
 */
export async function drainBacklog(draining: Draining): Promise<readonly number[]> {
  const { parameters, strategy } = draining;
  const endMs = Date.now() + parameters.forMs;
  const shared = sharedStates(strategy, parameters);
  const roundTripsMs: number[] = [];
  const wakeUps: (() => void)[] = [];
  const working: Promise<void>[] = [];
  for (let client = 0; client < parameters.clients; client += 1) {
    working.push(workOff({ ...draining, client, shared, wakeUps, roundTripsMs, endMs }));
  }
  await Promise.all(working);
  return roundTripsMs;
}

type Client = Draining & {
  readonly client: number;
  readonly shared: SharedStates;
  /** By client: ends its wait, where it is held back. */
  readonly wakeUps: (() => void)[];
  readonly roundTripsMs: number[];
  readonly endMs: number;
};

/** One client's share of the jobs, one request after the other. */
async function workOff(client: Client): Promise<void> {
  const { parameters, strategy, shared } = client;
  const { clients, jobs } = parameters;
  for (let job = client.client; job < jobs && Date.now() < client.endMs; job += clients) {
    if (strategy.sharedBy === 'request') shared.states[client.client] = strategy.start(alone);
    await doJob(client, job);
  }
}

async function doJob(client: Client, job: number): Promise<void> {
  for (let attempts = 0; Date.now() < client.endMs; ) {
    if (client.strategy.gates && !(await isReady(client, attempts))) return;
    attempts += 1;
    const heard = await sendOnce(client, job);
    const waitMs = ask(client, heard, attempts);
    if (waitMs === givesUp) return;
    if (waitMs > 0) await sleepOrCalled(client, waitMs);
    if (heard.kind === 'admitted') return;
  }
}

/** Waits until the strategy lets the client send; `false` where time is up before. */
async function isReady(client: Client, attempts: number): Promise<boolean> {
  for (let waitMs = ask(client, ready, attempts); waitMs > 0; waitMs = ask(client, ready, attempts)) {
    const leftMs = client.endMs - Date.now();
    if (leftMs <= 0) return false;
    await sleepOrCalled(client, Math.min(waitMs, leftMs));
  }
  return true;
}

/** k6's timers take whole milliseconds; a wait is cut short by a call alone. */
function sleepOrCalled({ wakeUps, client }: Client, waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.ceil(waitMs));
    wakeUps[client] = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

/** What an answer tells a strategy, without the moment and who asks. */
type Heard = Omit<Answer, 'nowMs' | 'client' | 'attempts'>;

const silence = { retryAfterSeconds: 0, retryAfterHeaderSeconds: 0, remaining: -1, resetSeconds: 0 };
const ready: Heard = { kind: 'ready', ...silence };

function ask({ strategy, shared, wakeUps, client }: Client, heard: Heard, attempts: number): number {
  const { states, groupOf, memberOf } = shared;
  const group = groupOf[client] ?? 0;
  const answer: Answer = { ...heard, nowMs: Date.now(), client: memberOf[client] ?? 0, attempts };
  const [waitMs, state] = strategy.next(states[group], answer, Math.random);
  states[group] = state;
  const called = () => strategy.called?.(state) ?? nobody;
  for (let member = called(); member !== nobody; member = called()) {
    wakeUps[clientIn(shared, group, member)]?.();
  }
  return waitMs;
}

async function sendOnce({ parameters, key, roundTripsMs }: Client, job: number): Promise<Heard> {
  const { url, method, body, headers, runId, timeoutMs } = parameters;
  const sentMs = Date.now();
  const answer = await http.asyncRequest(method, url, body, {
    headers: { ...headers, Authorization: `Bearer ${key}`, 'Idempotency-Key': `${runId}-${job}` },
    timeout: timeoutMs,
    redirects: 0,
    responseType: 'text',
    responseCallback: expected,
  });
  roundTripsMs.push(Date.now() - sentMs);
  const status = answer.status === 0 ? null : answer.status;
  if (status === null) return { kind: 'lost', ...silence };
  const header = (name: string): number | null => integerIn(answer.headers, name);
  return {
    kind: status === 429 ? 'limited' : 'admitted',
    retryAfterSeconds: status === 429 ? retryAfterIn(answer.body) : 0,
    retryAfterHeaderSeconds: (status === 429 ? header('retry-after') : null) ?? 0,
    remaining: header('x-ratelimit-remaining') ?? -1,
    resetSeconds: header('x-ratelimit-reset') ?? 0,
  };
}

const expected = http.expectedStatuses({ min: 200, max: 299 }, 429);

/** k6 writes header names as Go does, each part with a capital letter. */
function integerIn(headers: Readonly<Record<string, string>>, wanted: string): number | null {
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? '';
    if (name.toLowerCase() === wanted && /^[0-9]{1,15}$/.test(value)) return Number(value);
  }
  return null;
}

function retryAfterIn(body: unknown): number {
  try {
    const seconds = (JSON.parse(String(body)) as { error?: { retry_after_seconds?: unknown } }).error
      ?.retry_after_seconds;
    return typeof seconds === 'number' ? seconds : 0;
  } catch {
    return 0;
  }
}
