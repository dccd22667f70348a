import { settledAfterMs } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Scope } from '../contract/scopes.ts';
import type { Clock, Trace } from '../contract/trace.ts';

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

function groupOf(trace: Trace, exchanges: readonly Exchange[], widen: (clock: string) => number): Group {
  const [first] = exchanges;
  if (first === undefined || first.key === null) throw new Error('a group needs an exchange with a key');
  const oneClock = exchanges.every((exchange) => exchange.clock === first.clock);
  const entries = exchanges
    .map((exchange) => entryOf(exchange, oneClock ? 0 : widen(exchange.clock)))
    .sort(bySent);
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
    settledMs: (entries[0]?.lowMs ?? 0) + settledAfterMs(windowMs),
  };
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

/**
 * How far the times of each clock have to be widened before they may be compared with another clock's: its stated
 * offset, or what the trace itself shows wall and monotonic time to be apart.
 */
function wideningOf(trace: Trace): (clock: string) => number {
  const clocks = new Map<string, Clock>(trace.header.clocks.map((clock) => [clock.id, clock]));
  if (clocks.size < 2) return () => 0;
  const apartMs = trace.exchanges.reduce((worst, exchange) => {
    return exchange.wallSentMs === null
      ? worst
      : Math.max(worst, Math.abs(exchange.wallSentMs - exchange.sentMs));
  }, 0);
  return (id) => {
    const clock = clocks.get(id);
    if (clock === undefined) return Number.POSITIVE_INFINITY;
    return clock.offsetMsMax === 0 ? 0 : Math.max(clock.offsetMsMax, apartMs + 1);
  };
}
