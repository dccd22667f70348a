import { costOf } from '../../contract/document/cost.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { leastOf } from '../../contract/extremes.ts';
import type { IdentifiedGroup } from '../../contract/identification.ts';
import { outcomeOf } from '../../contract/outcome.ts';
import { type Group, isOfProbes } from '../entries.ts';
import { hasCosts } from '../promises/in-units.ts';
import { describe } from './describe.ts';
import { identify } from './identify.ts';
import type { ObservedRequest } from './observations.ts';

/**
 * The limiter behind each key and scope that was filled by the probes, by status codes alone and with the document's
 * limit and window as a first guess. It explains verdicts, it never decides one.
 */
export function identifyGroups(groups: readonly Group[]): readonly IdentifiedGroup[] {
  return probedGroups(groups).map(identifyProbed);
}

/** The limiter behind one of them. */
export function identifyProbed({
  exchanges,
  limit,
  windowMs,
  scope,
  key,
}: ProbedGroup<ObservedRequest>): IdentifiedGroup {
  const found = identify(exchanges, { limit, windowMs });
  return { ...describe(found), scope, key };
}

/** What one key did in one scope since it was seen to be idle, in the order of sending. */
export type ProbedGroup<Request extends ObservedRequest = Exchange> = Pick<
  Group,
  'scope' | 'key' | 'limit' | 'windowMs'
> & {
  readonly exchanges: readonly Request[];
};

/** The groups that the probes filled, with what those sent. */
export function probedGroups(groups: readonly Group[]): readonly ProbedGroup[] {
  return groups.filter(wasProbed).map((group) => {
    const { scope, key, limit, windowMs } = group;
    const asked = sinceAnchor(group);
    const exchanges = hasCosts(group) ? asked.flatMap(unitsOf) : asked;
    return { scope, key, limit, windowMs, exchanges };
  });
}

/**
 * A burst of the load suite shows one moment of a limiter, not what it is: the probes tell where they were done before it
 * began. Where a scope has several limits, no one limiter explains what was met of them in turn.
 */
export function wasProbed({ limited, entries }: Group): boolean {
  if (!limited.some(isOfProbes)) return false;
  const ofLoad = entries.filter((entry) => !isOfProbes(entry));
  const loadFromMs = leastOf(ofLoad.map(({ lowMs }) => lowMs));
  return entries.every((entry) => {
    const { exchange, lowMs, highMs } = entry;
    const endMs = Number.isFinite(highMs) ? highMs : lowMs;
    return !isOfProbes(entry) || (endMs < loadFromMs && !exchange.purpose.includes('@'));
  });
}

/**
 * A request as often as it takes units of the limit, which is what the models count. Of a refused one that costs more it is only
 * known that fewer units than that were left, which no model of single units can hold: it may have counted, or not.
 */
function unitsOf(exchange: Exchange): readonly Exchange[] {
  const cost = costOf(exchange);
  if (cost === 1) return [exchange];
  const unit = exchange.outcome === 'limited' ? { ...exchange, outcome: 'refused' as const } : exchange;
  return Array.from({ length: cost }, () => unit);
}

/** A key that was in use is asked once more when it is idle: what came before belongs to another beginning. */
function sinceAnchor({ explaining }: Group): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  const lastOfKeys = new Map<string | null, number>();
  for (const entry of explaining) {
    const { exchange } = entry;
    if (!isOfProbes(entry) || !mayBeNamedBy(exchange)) continue;
    if (exchange.purpose === 'preflight') lastOfKeys.set(exchange.key, exchanges.length);
    exchanges.push(exchange);
  }
  // Of keys that share a window, each was asked.
  const from = lastOfKeys.size === 0 ? 0 : leastOf(lastOfKeys.values());
  return from === 0 ? exchanges : exchanges.slice(from);
}

/** Whoever serves a request without a valid key may count it in the same window, as by the address that it came from. */
function mayBeNamedBy({ credential, status }: Exchange): boolean {
  return credential === 'valid' || outcomeOf(status) === 'admitted';
}
