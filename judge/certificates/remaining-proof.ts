import { settledAfterMs, windowMsAtLeast } from '../../contract/bounds.ts';
import type { CapPart, Misfit, Proof } from '../../contract/certificate.ts';
import { headerInteger } from '../../contract/rate-limit-headers.ts';
import type { Entry } from '../entries.ts';
import { type Reading, readings } from '../lengths.ts';
import { capPartOf, type Ground, idsOf, mayCountUnder, within } from './ground.ts';
import { refutationOf } from './refutations.ts';

/** The proof that values of `Remaining` fit no count; `null` where the trace does not give one for this reason. */
export function remainingProof(ground: Ground, reason: string, shown: readonly string[]): Proof | null {
  const { group } = ground;
  const cap = capPartOf(ground);
  const first = new Set(shown);
  const judged = group.entries
    .filter(isJudged)
    .sort((left, right) => Number(first.has(idOf(right))) - Number(first.has(idOf(left))));
  const named = misfitOfReason(reason);
  const parts = readings.map((reading) => {
    const misfit =
      firstOf(judged, (entry) => named(ground, entry, reading, cap)) ??
      firstOf(judged, (entry) => misfitOf(ground, entry, reading, cap));
    return { reading, refuted: misfit === null ? refutationOf(ground, reading, cap) : null, misfit };
  });
  const isProved = parts.every(({ refuted, misfit }) => refuted !== null || misfit !== null);
  const hasReason = parts.some(({ misfit }) => misfit?.inequality.relation === relations[reason]);
  if (!isProved || !hasReason) return null;
  const needsCap = parts.some(
    ({ refuted, misfit }) => refuted?.kind === 'refused-with-room' || misfit?.inequality.relation === '<',
  );
  return { rule: 'remaining', readings: parts, cap: needsCap ? cap : null };
}

const relations: Readonly<Record<string, '>' | '<'>> = { 'too-high': '>', 'too-low': '<' };

type FindMisfit = (ground: Ground, entry: Entry, reading: Reading, cap: CapPart | null) => Misfit | null;

function misfitOfReason(reason: string): FindMisfit {
  return reason === 'too-high' ? tooHigh : tooLow;
}

const misfitOf: FindMisfit = (ground, entry, reading, cap) =>
  tooHigh(ground, entry, reading) ?? tooLow(ground, entry, reading, cap);

function idOf({ exchange }: Entry): string {
  return exchange.requestId;
}

function firstOf<Found>(entries: readonly Entry[], find: (entry: Entry) => Found | null): Found | null {
  for (const entry of entries) {
    const found = find(entry);
    if (found !== null) return found;
  }
  return null;
}

function isJudged({ exchange }: Entry): boolean {
  const { outcome, status } = exchange;
  const isAnswer = status !== null && status < 500 && outcome !== 'limited';
  return isAnswer && headerInteger(exchange, 'remaining') !== null;
}

function tooHigh(ground: Ground, entry: Entry, reading: Reading): Misfit | null {
  const { group } = ground;
  const value = headerInteger(entry.exchange, 'remaining') ?? 0;
  const fromMs = entry.highMs - windowMsAtLeast(group.windowMs);
  const counted = group.entries.filter((other) =>
    other === entry
      ? entry.exchange.outcome === 'admitted'
      : surelyCounts(other, reading) && other.highMs < entry.lowMs && other.lowMs > fromMs,
  );
  const right = Math.max(0, group.limit - counted.length);
  return value <= right ? null : misfit(ground, entry, counted, { left: value, relation: '>', right });
}

function surelyCounts({ exchange: { outcome } }: Entry, reading: Reading): boolean {
  return outcome === 'admitted' || (reading === 'counted' && outcome === 'limited');
}

/** Requests made before the run lower the value too, and a cap may leave less of the second than of the minute. */
function tooLow(ground: Ground, entry: Entry, reading: Reading, cap: CapPart | null): Misfit | null {
  const { group, trace } = ground;
  const isJudgeable =
    trace.header.deployment.exclusiveKeys && entry.lowMs >= group.settledMs && cap?.kind !== 'clear';
  if (!isJudgeable) return null;
  const value = headerInteger(entry.exchange, 'remaining') ?? 0;
  const mayCount = mayCountUnder(group.entries, reading);
  const others = within(mayCount, entry, entry.lowMs - settledAfterMs(group.windowMs));
  const counted = mayCount.includes(entry) ? [...others, entry] : others;
  const right = group.limit - counted.length;
  return value >= right ? null : misfit(ground, entry, counted, { left: value, relation: '<', right });
}

function misfit(
  { group, stepped }: Ground,
  entry: Entry,
  counted: readonly Entry[],
  inequality: Misfit['inequality'],
): Misfit | null {
  if (stepped(group.entries[0]?.lowMs ?? 0, entry.highMs)) return null;
  return {
    exchange: entry.exchange.requestId,
    value: inequality.left,
    counted: idsOf(group, counted),
    inequality,
  };
}
