import { didYouMean } from '../../contract/nearest.ts';
import { documentedLimits, documentedWindowMs, limitIn, type Scope } from '../../contract/scopes.ts';
import { UsageError } from '../../contract/usage-error.ts';
import type { Limiter, Rate } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import type { KeptLimit } from '../pacer/kept-limits.ts';
import { type Latency, network } from '../simulation/network.ts';
import type { Setting } from '../simulation/setting.ts';
import { type TodaysName, todaysNames } from '../strategies.ts';
import type { Knowledge } from './families.ts';
import { type Situation, type SituationName, situationNames } from './trial.ts';

/** More jobs make no other figures, only longer ones. */
export const jobsMax = 100_000;

/** A limiter that was found by asking a service, or by a document, and where. */
export type FoundLimiter = {
  readonly limiter: Limiter<unknown>;
  readonly from: string;
  /** What a client keeps to, where that is not the limiter's own rate; as many requests of the kind that are the jobs. */
  readonly kept?: readonly KeptLimit[];
  /** What answers leave out. */
  readonly lacks?: Setting['lacks'];
  readonly sendsRetryAfter?: boolean;
};

/** What a person says of their client; what is left out has a default or is found elsewhere. */
export type ClientFlags = {
  readonly scope: Scope;
  readonly limit?: number;
  readonly window?: number;
  readonly clients: number;
  readonly processes: number;
  readonly jobs?: number;
  readonly latency: readonly number[];
  readonly loss: number;
  readonly knows: Knowledge;
  readonly store?: true;
  readonly method: string;
  readonly retryAfterHeader: boolean;
  readonly situations?: readonly string[];
  readonly today?: readonly string[];
  readonly slack: number;
  readonly runs: number;
};

/** A client that can be tuned: everything checked. */
export type Client = {
  readonly scope: Scope;
  readonly rate: Rate;
  readonly kept: readonly KeptLimit[] | undefined;
  readonly lacks: Setting['lacks'];
  readonly limiter: Limiter<unknown>;
  /** Where the limiter is known from, for people. */
  readonly limiterFrom: string;
  readonly clients: number;
  readonly processes: number;
  readonly jobs: number;
  readonly latency: Latency;
  readonly knows: Knowledge;
  readonly hasStore: boolean;
  readonly method: string;
  readonly sendsRetryAfter: boolean;
  readonly situations: readonly SituationName[];
  readonly today: readonly TodaysName[];
  readonly slackShare: number;
  readonly runs: number;
};

const idempotentMethods: readonly string[] = ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'];

/**
 * The client that flags describe, against the limiter that was found for it or the documented one.
 * @throws {UsageError} where something cannot be: no clients, a limit of 0, a latency above the window.
 */
export function clientOf(flags: ClientFlags, found: FoundLimiter | null): Client {
  if (flags.knows === 'headers' && found?.lacks?.headers === true) {
    throw new UsageError(
      '--knows headers: the document promises no headers that tell how many such requests are left, and until when: give retry-after or limit.',
    );
  }
  const limiter = found?.limiter ?? documentedLimiter(flags);
  const { limit, windowMs } = limiter;
  const jobs = flags.jobs ?? Math.min(jobsMax, 4 * limit);
  if (flags.processes > flags.clients) {
    throw new UsageError(
      `--processes ${flags.processes} is more than --clients ${flags.clients}: each process has at least one client.`,
    );
  }
  if (found !== null && (flags.limit !== undefined || flags.window !== undefined)) {
    throw new UsageError(
      '--limiter and --document say what the limit and the window are: leave out --limit and --window.',
    );
  }
  return {
    scope: flags.scope,
    rate: { limit, windowMs },
    kept: found?.kept,
    lacks: found?.lacks,
    limiter,
    limiterFrom: found?.from ?? (isDocumented(flags) ? 'as documented' : 'as given'),
    clients: flags.clients,
    processes: flags.processes,
    jobs,
    latency: latencyOf(flags, windowMs),
    knows: flags.knows,
    hasStore: flags.store === true,
    method: flags.method,
    sendsRetryAfter: flags.retryAfterHeader && found?.sendsRetryAfter !== false,
    situations: (flags.situations ?? ['cold', 'warm']).map((name) =>
      known(name, situationNames, 'situation'),
    ),
    today: todaysOf(flags.today ?? ['full-jitter']),
    slackShare: flags.slack / 100,
    runs: flags.runs,
  };
}

/** Whether libraries that retry no other methods retry this one. */
export function isIdempotent({ method }: Pick<Client, 'method'>): boolean {
  return idempotentMethods.includes(method);
}

/** The backlog in each situation that was asked for. */
export function situationsOf(client: Client): readonly Situation[] {
  const { limiter, rate, jobs, processes } = client;
  const limits = client.kept ?? [rate];
  const base: Omit<Setting, 'opening' | 'clients'> = {
    limiter,
    processes,
    jobs,
    network: network(client.latency),
    sendsRetryAfter: client.sendsRetryAfter,
    lacks: client.lacks,
    // Not at the very beginning of the clock: a warm log reaches a window back.
    startMs: 10 * Math.max(...limits.map(({ windowMs }) => windowMs)),
    // Whoever takes ten times as long, and ten windows, is not going to win.
    horizonMs: 10 * Math.max(...limits.map((one) => (Math.ceil(jobs / one.limit) + 1) * one.windowMs)),
  };
  return client.situations.map((name) => ({
    name,
    setting: {
      ...base,
      opening: name === 'warm' ? 'warm' : 'cold',
      clients: name === 'all-at-once' ? jobs : client.clients,
    },
  }));
}

function documentedLimiter({ scope, limit, window }: ClientFlags): Limiter<unknown> {
  const windowMs = window === undefined ? documentedWindowMs : window * 1_000;
  return slidingLog({ limit: limit ?? limitIn(documentedLimits, scope), windowMs }) as Limiter<unknown>;
}

function isDocumented({ limit, window }: ClientFlags): boolean {
  return limit === undefined && window === undefined;
}

function latencyOf({ latency, loss }: ClientFlags, windowMs: number): Latency {
  const [medianMs = 0, p99GivenMs] = latency;
  const p99Ms = p99GivenMs ?? 2 * medianMs;
  if (p99Ms < medianMs) {
    throw new UsageError(
      `--latency ${medianMs}ms,${p99Ms}ms: 99 of 100 round trips cannot be shorter than half of them; give the median first.`,
    );
  }
  if (p99Ms >= windowMs) {
    throw new UsageError(
      `--latency: the round trip of 99 in 100, ${p99Ms} ms${p99GivenMs === undefined ? ' (twice the other, where it is not given)' : ''}, is not shorter than the window, ${windowMs} ms: no place would be known to be free before it is taken again.`,
    );
  }
  return { medianMs, p99Ms, lossShare: loss / 100 };
}

function todaysOf(names: readonly string[]): readonly TodaysName[] {
  if (names.includes('all')) return todaysNames;
  if (names.includes('nothing')) return [];
  return [...new Set(names.map((name) => known(name, todaysNames, 'library or strategy')))];
}

function known<Name extends string>(name: string, names: readonly Name[], what: string): Name {
  const found = names.find((one) => one === name);
  if (found !== undefined) return found;
  throw new UsageError(
    `There is no ${what} "${name}"${didYouMean(name, names)} Choose from ${names.join(', ')}.`,
  );
}
