import type { Exchange } from '../contract/exchange.ts';
import { plainExchange } from '../contract/exchange-store.ts';
import { type Entry, type Group, plainEntry } from './entries.ts';

/** The group as it is if these refusals were none: each may have counted or not. */
export function withoutRefusals(group: Group, out: ReadonlySet<Exchange>): Group {
  const unsure = (entries: readonly Entry[]): readonly Entry[] =>
    entries.map((entry) =>
      out.has(entry.exchange)
        ? { ...plainEntry(entry), exchange: { ...plainExchange(entry.exchange), outcome: 'refused' } }
        : entry,
    );
  const entries = unsure(group.entries);
  return {
    ...group,
    entries,
    limited: group.limited.filter(({ exchange }) => !out.has(exchange)),
    mayCount: entries.filter(({ exchange }) => exchange.outcome !== 'limited'),
    explaining: unsure(group.explaining),
  };
}
