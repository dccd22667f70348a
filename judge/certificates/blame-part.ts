import { bounds, windowMsAtLeast, windowMsAtMost } from '../../contract/bounds.ts';
import type { Part } from '../../contract/certificate.ts';
import { plainExchange } from '../../contract/exchange-store.ts';
import { greatestOf } from '../../contract/extremes.ts';
import type { Trace } from '../../contract/trace.ts';
import { wideningOf } from '../clock-widening.ts';
import { type Entry, entryOf, type Group, groupsOf } from '../entries.ts';
import { countWithin } from '../intervals.ts';
import { boundsThatMayCount, explainedLengths, readings, surelyCounts } from '../lengths.ts';
import { spanOf } from '../span.ts';
import { surelyWithin } from '../surely-within.ts';
import { type Ground, idOf, partOf, tightest } from './ground.ts';

/** What makes a deviation of the count that of its clause, by the reason given; `null` where that does not hold. */
export function blamePartsOf(ground: Ground, reason: string): readonly Part[] | null {
  const { group } = ground;
  switch (reason) {
    case 'early-return':
      return heldBefore(group);
    case 'late-return':
      return fullBefore(group);
    case 'too-short':
    case 'too-long':
      return otherLength(group, reason);
    case 'one-window-for-scopes':
      return together(ground, (other) => other.key === group.key);
    case 'one-window-for-keys':
      return together(ground, (other) => other.scope === group.scope);
    case 'counted-apart':
      return apart(group);
    case 'counted-per-node':
      return nodes(group);
    default:
      return null;
  }
}

/** The least span of limit + 1 admissions, ms; infinite where fewer were admitted. */
function leastSpanMs(entries: readonly Entry[], limit: number): number {
  const by = tightest(entries, limit);
  return by.length === 0 ? Number.POSITIVE_INFINITY : spanOf(by).ms;
}

function heldBefore({ limited, entries, limit, windowMs }: Group): readonly Part[] | null {
  const [first] = limited;
  if (first === undefined) return null;
  const before = entries.filter(({ lowMs }) => lowMs <= first.highMs);
  const [left, right] = [windowMsAtLeast(windowMs), leastSpanMs(before, limit)];
  if (left > right) return null;
  return [partOf('held-before', { reading: null, requestIds: [idOf(first)], left, relation: '<=', right })];
}

function fullBefore({ limited, admitted, limit, windowMs }: Group): readonly Part[] | null {
  const [first] = limited;
  if (first === undefined) return null;
  const fromMs = first.highMs - windowMsAtMost(windowMs);
  const right = admitted.filter(({ lowMs, highMs }) => lowMs <= first.highMs && highMs > fromMs).length;
  const common = { reading: null, requestIds: [idOf(first)] };
  return right < limit ? null : [partOf('full-before', { ...common, left: limit, relation: '<=', right })];
}

function otherLength(group: Group, reason: 'too-short' | 'too-long'): readonly Part[] | null {
  const { limit, explaining: entries, limited: refusals, windowMs } = group;
  for (const reading of readings) {
    const { lowMs, highMs } = explainedLengths({ limit, entries, reading, refusals });
    const isOther = reason === 'too-short' ? highMs < windowMs : lowMs > windowMs;
    if (!isOther || lowMs > highMs || !Number.isFinite(lowMs)) continue;
    return [partOf('length', { reading, requestIds: [], left: lowMs, relation: '<=', right: highMs })];
  }
  return null;
}

/** Whether the requests of several groups, counted in one window of this group's limit, explain its refusals. */
function together({ trace, group }: Ground, isAmong: (other: Group) => boolean): readonly Part[] | null {
  const others = groupsOf(trace).filter(
    (other) => isAmong(other) && (other.key !== group.key || other.scope !== group.scope),
  );
  if (others.length === 0) return null;
  const { limit } = group;
  const groups = [group, ...others];
  const entries = [...groups.flatMap((each) => each.entries), ...keylessOf(trace, groups)];
  const reachMs = windowMsAtMost(group.windowMs + bounds.granularityMs);
  for (const reading of readings) {
    const mayCount = boundsThatMayCount(entries, reading);
    const own = reading === 'counted' ? 1 : 0;
    const fewest = group.limited
      .filter(({ lowMs }) => lowMs >= group.settledMs)
      .map(({ lowMs, highMs }) => countWithin(mayCount, lowMs - reachMs, highMs) - own)
      .reduce((least, count) => Math.min(least, count), Number.POSITIVE_INFINITY);
    const most = mostBefore(
      group,
      entries.filter((entry) => surelyCounts(entry, reading)),
    );
    if (fewest < limit || most >= limit) continue;
    return [partOf('together', { reading, requestIds: [], left: limit, relation: '<=', right: fewest })];
  }
  return null;
}

/** The most of these that certainly took a place before an admission and in one window with it. */
function mostBefore({ admitted, windowMs }: Group, counted: readonly Entry[]): number {
  const shortestMs = windowMsAtLeast(windowMs);
  const surely = surelyWithin(counted);
  return admitted
    .map(({ lowMs, highMs }) => surely(highMs - shortestMs, lowMs).length)
    .reduce((most, count) => Math.max(most, count), 0);
}

/** The run's own requests without a valid key at the scopes of these groups: they may have taken a place. */
function keylessOf(trace: Trace, groups: readonly Group[]): readonly Entry[] {
  const scopes = new Set(groups.map(({ scope }) => scope));
  const widen = wideningOf(trace);
  return trace.exchanges
    .filter(({ key, credential, scope }) => (key === null || credential !== 'valid') && scopes.has(scope))
    .map((exchange) => entryOf({ ...plainExchange(exchange), outcome: 'refused' }, widen(exchange.clock)));
}

function apart({ entries, limited, limit, windowMs }: Group): readonly Part[] | null {
  const of = (route: string) => entries.filter(({ exchange }) => exchange.route === route);
  const [main, subpaths] = [of('main'), of('subpath')];
  const [first] = subpaths;
  const refusal = limited.find(({ exchange }) => exchange.route === 'main');
  if (refusal === undefined || first === undefined) return null;
  const left = windowMsAtLeast(windowMs);
  const right = Math.min(leastSpanMs(main, limit), leastSpanMs(subpaths, limit));
  const requestIds = [idOf(refusal), idOf(first)];
  return left > right
    ? null
    : [partOf('held-paths', { reading: null, requestIds, left, relation: '<=', right })];
}

function nodes({ admitted, limit }: Group): readonly Part[] | null {
  const counts = new Map<number, number>();
  for (const { exchange } of admitted) counts.set(exchange.node, (counts.get(exchange.node) ?? 0) + 1);
  const left = greatestOf(counts.values());
  if (left > limit) return null;
  return [partOf('held-nodes', { reading: null, requestIds: [], left, relation: '<=', right: limit })];
}
