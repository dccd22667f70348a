import type { Exchange } from '../contract/exchange.ts';
import { plainExchange } from '../contract/exchange-store.ts';
import { onceInTurn } from '../contract/once.ts';
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

/** The group as it is if no refusal were one. */
export const withoutAnyRefusal = onceInTurn(
  (group: Group): Group => withoutRefusals(group, new Set(group.limited.map(({ exchange }) => exchange))),
);

/** The group as it is if of all refusals these alone were some. */
export function withTheseRefusals(group: Group, own: ReadonlySet<Exchange>): Group {
  const none = withoutAnyRefusal(group);
  if (own.size === 0) return none;
  const picked = (entries: readonly Entry[], unsure: readonly Entry[]): readonly Entry[] =>
    entries.map((entry, at) => (own.has(entry.exchange) ? entry : (unsure[at] as Entry)));
  const entries = picked(group.entries, none.entries);
  return {
    ...group,
    entries,
    limited: group.limited.filter(({ exchange }) => own.has(exchange)),
    mayCount: entries.filter(({ exchange }) => exchange.outcome !== 'limited'),
    explaining: picked(group.explaining, none.explaining),
  };
}
