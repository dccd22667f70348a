import { settledAfterMs } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Scope } from '../contract/scopes.ts';
import type { Trace } from '../contract/trace.ts';
import { type Widening, wideningOf } from './clock-widening.ts';

/**
 * One request of a key, with the closed interval in which the service can have counted it. The client never sees the
 * moment itself: `lowMs` is when the request left, `highMs` when the answer had arrived, infinite where none did.
 */
export type Entry = {
  readonly exchange: Exchange;
  readonly lowMs: number;
  readonly highMs: number;
};

/** Everything that one key did in one scope: what one window of the service has to explain. */
export type Group = {
  readonly key: string;
  readonly scope: Scope;
  readonly limit: number;
  readonly windowMs: number;
  /** In the order in which they were sent. */
  readonly entries: readonly Entry[];
  readonly admitted: readonly Entry[];
  readonly limited: readonly Entry[];
  /** Every entry that may have taken a place if rejections do not: admitted, refused and indeterminate. */
  readonly mayCount: readonly Entry[];
  /** From here on requests made before the run can no longer explain a refusal. */
  readonly settledMs: number;
};

/** The groups of a trace, keys in the trace's order, scopes in the document's. */
export function groupsOf(trace: Trace): readonly Group[] {
  const buckets = new Map<string, Exchange[]>();
  for (const exchange of trace.exchanges) {
    if (exchange.key === null || exchange.credential !== 'valid') continue;
    const id = `${exchange.key} ${exchange.scope}`;
    const bucket = buckets.get(id);
    if (bucket === undefined) buckets.set(id, [exchange]);
    else bucket.push(exchange);
  }
  const widen = wideningOf(trace);
  return [...buckets.values()].map((exchanges) => groupOf(trace, exchanges, widen));
}

/** The entries of several groups as one, for asking what a shared window would explain. */
export function mergedEntries(groups: readonly Group[]): readonly Entry[] {
  return groups.flatMap((group) => group.entries).sort(bySent);
}

function groupOf(trace: Trace, exchanges: readonly Exchange[], widen: Widening): Group {
  const [first] = exchanges;
  if (first === undefined || first.key === null) throw new Error('a group needs an exchange with a key');
  const entries = exchanges.map((exchange) => entryOf(exchange, widen(exchange.clock))).sort(bySent);
  const limit = trace.header.limits[first.scope];
  const { windowMs } = trace.header;
  return {
    key: first.key,
    scope: first.scope,
    limit,
    windowMs,
    entries,
    admitted: entries.filter((entry) => entry.exchange.outcome === 'admitted'),
    limited: entries.filter((entry) => entry.exchange.outcome === 'limited'),
    mayCount: entries.filter((entry) => entry.exchange.outcome !== 'limited'),
    settledMs: begunMs(exchanges, widen) + settledAfterMs(windowMs),
  };
}

/** The latest moment at which the first of them may have been sent: nothing from before the run came after it. */
function begunMs(exchanges: readonly Exchange[], widen: Widening): number {
  return exchanges.reduce(
    (least, { sentMs, clock }) => Math.min(least, sentMs + widen(clock)),
    Number.POSITIVE_INFINITY,
  );
}

function entryOf(exchange: Exchange, wideningMs: number): Entry {
  return {
    exchange,
    lowMs: exchange.sentMs - wideningMs,
    highMs: (exchange.receivedMs ?? Number.POSITIVE_INFINITY) + wideningMs,
  };
}

function bySent(left: Entry, right: Entry): number {
  return left.lowMs - right.lowMs || left.exchange.index - right.exchange.index;
}
