import { bounds, windowMsAtLeast, windowMsAtMost } from '../../contract/bounds.ts';
import type { BlamePart } from '../../contract/certificate.ts';
import { type Entry, type Group, groupsOf } from '../entries.ts';
import { explainedLengths, readings } from '../lengths.ts';
import { type Ground, mayCountUnder, spanOf, tightest, within } from './ground.ts';

/** What makes a deviation of the count that of its clause, by the reason given; `null` where that does not hold. */
export function blamePartOf(ground: Ground, reason: string): BlamePart | null {
  switch (reason) {
    case 'early-return':
      return afterFull(ground.group);
    case 'late-return':
      return wasFull(ground.group);
    case 'too-short':
    case 'too-long':
      return otherLength(ground.group, reason);
    case 'one-window-for-scopes':
      return together(ground, (other) => other.key === ground.group.key);
    case 'one-window-for-keys':
      return together(ground, (other) => other.scope === ground.group.scope);
    case 'counted-apart':
      return paths(ground.group);
    case 'counted-per-node':
      return nodes(ground.group);
    default:
      return null;
  }
}

/** The least span of limit + 1 admissions, ms; `null` where fewer were admitted. */
function leastSpanMs(entries: readonly Entry[], limit: number): number | null {
  const by = tightest(entries, limit);
  return by.length === 0 ? null : spanOf(by).ms;
}

function afterFull({ limited, entries, limit, windowMs }: Group): BlamePart | null {
  const [first] = limited;
  if (first === undefined) return null;
  const least = leastSpanMs(
    entries.filter(({ lowMs }) => lowMs <= first.highMs),
    limit,
  );
  if (least !== null && least < windowMsAtLeast(windowMs)) return null;
  return { kind: 'after-full', firstRefusal: first.exchange.requestId, leastSpanMs: least };
}

function wasFull({ limited, admitted, limit, windowMs }: Group): BlamePart | null {
  const [first] = limited;
  if (first === undefined) return null;
  const fromMs = first.highMs - windowMsAtMost(windowMs);
  const count = admitted.filter(({ lowMs, highMs }) => lowMs <= first.highMs && highMs > fromMs).length;
  return count < limit ? null : { kind: 'was-full', firstRefusal: first.exchange.requestId, admitted: count };
}

function otherLength(group: Group, reason: 'too-short' | 'too-long'): BlamePart | null {
  const { limit, explaining: entries, limited: refusals, windowMs } = group;
  for (const reading of readings) {
    const { lowMs, highMs } = explainedLengths({ limit, entries, reading, refusals });
    const isOther = reason === 'too-short' ? highMs < windowMs : lowMs > windowMs;
    if (!isOther || lowMs > highMs || !Number.isFinite(lowMs)) continue;
    return {
      kind: 'length',
      reading,
      shortestMs: lowMs,
      longestMs: Number.isFinite(highMs) ? highMs : null,
    };
  }
  return null;
}

/** Whether the requests of several groups, counted in one window of this group's limit, explain its refusals. */
function together({ trace, group }: Ground, isAmong: (other: Group) => boolean): BlamePart | null {
  const others = groupsOf(trace).filter(
    (other) => isAmong(other) && (other.key !== group.key || other.scope !== group.scope),
  );
  if (others.length === 0) return null;
  const groups = [group, ...others];
  const entries = [...new Set(groups.flatMap(({ explaining }) => explaining))];
  const reading = readings.find((one) => {
    const mayCount = mayCountUnder(entries, one);
    const reachMs = windowMsAtMost(group.windowMs + bounds.granularityMs);
    const explained = group.limited
      .filter(({ lowMs }) => lowMs >= group.settledMs)
      .every((refusal) => within(mayCount, refusal, refusal.lowMs - reachMs).length >= group.limit);
    return explained && !wouldHaveRefused(group, surelyCounted(entries, one));
  });
  if (reading === undefined) return null;
  return { kind: 'together', reading, groups: groups.map(({ key, scope }) => ({ key, scope })) };
}

function surelyCounted(entries: readonly Entry[], reading: 'counted' | 'not-counted'): readonly Entry[] {
  return entries.filter(
    ({ exchange: { outcome } }) => outcome === 'admitted' || (reading === 'counted' && outcome === 'limited'),
  );
}

/** Whether one window for all of these would certainly have refused an admission of the group. */
function wouldHaveRefused({ admitted, limit, windowMs }: Group, counted: readonly Entry[]): boolean {
  const shortestMs = windowMsAtLeast(windowMs);
  return admitted.some((admission) => {
    const before = counted.filter(
      ({ lowMs, highMs }) => highMs < admission.lowMs && admission.highMs - lowMs < shortestMs,
    );
    return before.length >= limit;
  });
}

function paths({ entries, limited, limit, windowMs }: Group): BlamePart | null {
  const of = (route: string) => entries.filter(({ exchange }) => exchange.route === route);
  const [main, subpath] = [of('main'), of('subpath')];
  const refusal = limited.find(({ exchange }) => exchange.route === 'main');
  if (refusal === undefined || subpath.length === 0) return null;
  const mainLeastSpanMs = leastSpanMs(main, limit);
  const subpathLeastSpanMs = leastSpanMs(subpath, limit);
  const shortestMs = windowMsAtLeast(windowMs);
  if ([mainLeastSpanMs, subpathLeastSpanMs].some((least) => least !== null && least < shortestMs))
    return null;
  return { kind: 'paths', mainLeastSpanMs, subpathLeastSpanMs, mainRefusal: refusal.exchange.requestId };
}

function nodes({ admitted, limit }: Group): BlamePart | null {
  const counts = new Map<number, number>();
  for (const { exchange } of admitted) counts.set(exchange.node, (counts.get(exchange.node) ?? 0) + 1);
  const byNode = [...counts].sort(([left], [right]) => left - right);
  return byNode.length > 1 && byNode.every(([, count]) => count <= limit)
    ? { kind: 'nodes', admitted: byNode }
    : null;
}
