import { settledAfterMs } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import { plainExchange, spanningItself } from '../contract/exchange-store.ts';
import { mayBeSentTwice } from '../contract/repeatable.ts';
import { limitIn, type Scope } from '../contract/scopes.ts';
import type { Trace } from '../contract/trace.ts';
import { windowMsIn } from '../contract/trace-windows.ts';
import { type Widening, wideningOf } from './clock-widening.ts';

/**
 * One request of a key, with the closed interval in which the service can have counted it. The client never sees the
 * moment itself: `lowMs` is when the request left, `highMs` when the answer had arrived, infinite where none did.
 */
export type Entry = {
  readonly exchange: Exchange;
  readonly lowMs: number;
  readonly highMs: number;
  /** There where it stands for what Go may have sent before the request whose answer is in the trace. */
  readonly isAgain?: true;
};

/** Everything that one key did in one scope: what one window of the service has to explain. */
export type Group = {
  readonly key: string;
  readonly scope: Scope;
  readonly limit: number;
  readonly windowMs: number;
  /** In the order in which they were sent; a request that may have been sent twice stands there twice. */
  readonly entries: readonly Entry[];
  readonly admitted: readonly Entry[];
  readonly limited: readonly Entry[];
  /** Every entry that may have taken a place if rejections do not: admitted, refused and indeterminate. */
  readonly mayCount: readonly Entry[];
  /**
   * All that may explain a 429, in the order in which it was sent: the entries, and the run's own requests without a
   * valid key at this scope. Those may have taken a place, though the document gives them none, and never surely did.
   */
  readonly explaining: readonly Entry[];
  /** From here on requests made before the run can no longer explain a refusal. */
  readonly settledMs: number;
  /** Where a limit is shared with other scopes: what that limit counts of the key, with the limit and window of its scope. */
  readonly outer?: Group;
};

/** The groups of a trace, keys in the trace's order, scopes in the document's. */
export function groupsOf(trace: Trace): readonly Group[] {
  const buckets: Exchange[][] = [];
  const byKey = new Map<string, Map<Scope, Exchange[]>>();
  const keyless: Exchange[] = [];
  let bucket: Exchange[] | undefined;
  for (const exchange of trace.exchanges) {
    const { key, scope } = exchange;
    if (key === null || exchange.credential !== 'valid') {
      keyless.push(exchange);
      continue;
    }
    // Many answers are of the same key and scope as the one before.
    if (bucket?.[0]?.key !== key || bucket[0].scope !== scope) {
      const byScope = byKey.get(key) ?? new Map<Scope, Exchange[]>();
      bucket = byScope.get(scope) ?? [];
      if (bucket.length === 0) {
        byKey.set(key, byScope.set(scope, bucket));
        buckets.push(bucket);
      }
    }
    bucket.push(exchange);
  }
  const widen = wideningOf(trace);
  const unsure = keyless.map((exchange) =>
    entryOf({ ...plainExchange(exchange), outcome: 'refused' }, widen(exchange.clock)),
  );
  return buckets.map((exchanges) => groupOf(trace, exchanges, { widen, unsure }));
}

/** Requests to paths that do not stand for their scope: another scope may count them. */
export function straysOf({ entries }: Pick<Group, 'entries'>): readonly Entry[] {
  return entries.filter(({ exchange }) => exchange.route !== 'main');
}

/** The entries of several groups as one, for asking what a shared window would explain. */
export function mergedEntries(groups: readonly Group[]): readonly Entry[] {
  return groups.flatMap((group) => group.entries).sort(bySent);
}

/** Stands between the keys of a group that is of several: aliases have none. */
const joinsKeys = '+';

/** The keys that a group is of. */
export function keysIn(key: string): readonly string[] {
  return key.split(joinsKeys);
}

/** What several keys did in one scope as one group, as a window that they share saw it. */
export function togetherOf(groups: readonly [Group, ...Group[]]): Group {
  const [first] = groups;
  const ofAll = (some: (group: Group) => readonly Entry[]): readonly Entry[] =>
    [...new Map(groups.flatMap(some).map((entry) => [entry.exchange, entry])).values()].sort(bySent);
  const entries = mergedEntries(groups);
  const explaining = groups.some((group) => group.explaining !== group.entries)
    ? ofAll((group) => group.explaining)
    : entries;
  return {
    ...first,
    key: groups.map(({ key }) => key).join(joinsKeys),
    entries,
    ...byOutcome(entries),
    explaining,
    settledMs: groups.reduce((least, group) => Math.min(least, group.settledMs), Number.POSITIVE_INFINITY),
  };
}

type OfRun = {
  readonly widen: Widening;
  /** The requests of the run without a valid key, each as one that may or may not have counted. */
  readonly unsure: readonly Entry[];
};

function groupOf(trace: Trace, exchanges: readonly Exchange[], { widen, unsure }: OfRun): Group {
  const [first] = exchanges;
  if (first === undefined || first.key === null) throw new Error('a group needs an exchange with a key');
  const entries: Entry[] = [];
  let last: Entry | null = null;
  let isInOrder = true;
  // The latest moment at which the first of them may have been sent: nothing from before the run came after it.
  let begunMs = Number.POSITIVE_INFINITY;
  for (const exchange of exchanges) {
    const wideningMs = widen(exchange.clock);
    const entry = entryOf(exchange, wideningMs);
    entries.push(entry);
    if (mayBeSentTwice(exchange, trace.header)) entries.push(again(entry));
    if (last !== null && bySent(last, entry) > 0) isInOrder = false;
    last = entry;
    begunMs = Math.min(begunMs, exchange.sentMs + wideningMs);
  }
  // Most are recorded in that order.
  if (!isInOrder) entries.sort(bySent);
  const limit = limitIn(trace.header.limits, first.scope);
  const windowMs = windowMsIn(trace.header, first.scope);
  const { admitted, limited, mayCount } = byOutcome(entries);
  const beside = limited.length === 0 ? [] : unsure.filter(({ exchange }) => exchange.scope === first.scope);
  return {
    key: first.key,
    scope: first.scope,
    limit,
    windowMs,
    ...{ entries, admitted, limited, mayCount },
    explaining: beside.length === 0 ? entries : [...entries, ...beside].sort(bySent),
    settledMs: begunMs + settledAfterMs(windowMs),
  };
}

/** What may count if rejections do not is what was admitted, in most groups: then both are one list. */
export function byOutcome(entries: readonly Entry[]): Pick<Group, 'admitted' | 'limited' | 'mayCount'> {
  const admitted: Entry[] = [];
  const limited: Entry[] = [];
  for (const entry of entries) {
    const { outcome } = entry.exchange;
    if (outcome === 'admitted') admitted.push(entry);
    else if (outcome === 'limited') limited.push(entry);
  }
  const isAll = admitted.length + limited.length === entries.length;
  return {
    admitted,
    limited,
    mayCount: isAll ? admitted : entries.filter(({ exchange }) => exchange.outcome !== 'limited'),
  };
}

/** What Go may have sent of a request before it sent it again: it may have counted, and nothing is known of its answer. */
function again({ exchange, lowMs, highMs }: Entry): Entry {
  const headers = { limit: null, remaining: null, reset: null };
  const unknown = {
    ...plainExchange(exchange),
    status: null,
    headers,
    body: null,
    outcome: 'indeterminate',
  } as const;
  return { exchange: unknown, lowMs, highMs, isAgain: true };
}

/** One request as an entry, with its interval widened on both sides. To change one, copy it with `plainEntry`. */
export function entryOf(exchange: Exchange, wideningMs: number): Entry {
  const itself = wideningMs === 0 ? spanningItself(exchange) : null;
  if (itself !== null) return itself;
  const receivedMs = exchange.receivedMs ?? Number.POSITIVE_INFINITY;
  return {
    exchange,
    // A wall clock that is set back meanwhile shows an answer before its request.
    lowMs: Math.min(exchange.sentMs, receivedMs) - wideningMs,
    highMs: Math.max(exchange.sentMs, receivedMs) + wideningMs,
  };
}

/** An entry whose fields are its own, so that `{ ...entry, highMs }` has all the others. */
export function plainEntry({ exchange, lowMs, highMs, isAgain }: Entry): Entry {
  return { exchange, lowMs, highMs, ...(isAgain !== undefined && { isAgain }) };
}

/** In the order in which they were sent. */
export function bySent(left: Entry, right: Entry): number {
  return left.lowMs - right.lowMs || left.exchange.index - right.exchange.index;
}

/** Whether more than the load suite asked there: what that alone wrote is judged by the clauses of its scenarios. */
export function isProbed({ entries }: Group): boolean {
  return entries.some(isOfProbes);
}

/** Whether anything but the load suite sent it. */
export function isOfProbes({ exchange }: Entry): boolean {
  return exchange.driver !== 'k6';
}
