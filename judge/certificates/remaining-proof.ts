import { settledAfterMs, windowMsAtLeast } from '../../contract/bounds.ts';
import type { Part } from '../../contract/certificate.ts';
import { headerInteger } from '../../contract/rate-limit-headers.ts';
import type { Entry } from '../entries.ts';
import { countWithin, surelyCounted } from '../intervals.ts';
import {
  boundsThatMayCount,
  boundsThatSurelyCount,
  type Reading,
  readings,
  surelyCounts,
  thatMayCount,
} from '../lengths.ts';
import { capPartOf, type Ground, idOf, idsOf, isClear, partOf, within } from './ground.ts';
import { refutationOf, restsOnRefusals } from './refutations.ts';

type FindMisfit = (ground: Ground, entry: Entry, reading: Reading, cap: Part | null) => Part | null;

/** The proof that values of `Remaining` fit no count; `null` where the trace does not give one for this reason. */
export function remainingProof(
  ground: Ground,
  reason: string,
  shown: readonly string[],
): readonly Part[] | null {
  const judged = ground.group.entries.filter(({ exchange }) => exchange.outcome !== 'limited');
  const named = reason === 'too-high' ? [tooHigh, tooLow] : [tooLow, tooHigh];
  const rule = reason === 'too-high' ? 'above-count' : 'below-count';
  const proof = misfitProof(ground, shownFirst(judged, shown), named);
  return proof?.some((part) => part.rule === rule) === true ? proof : null;
}

/** The same for a 429 that leaves more than may have come free while it was written. */
export function remainingOn429Proof(ground: Ground, shown: readonly string[]): readonly Part[] | null {
  const { limited } = ground.group;
  return misfitProof(ground, shownFirst(limited, shown), [onRefusal]);
}

function shownFirst(entries: readonly Entry[], shown: readonly string[]): readonly Entry[] {
  const first = new Set(shown);
  return [...entries.filter(({ exchange }) => first.has(exchange.requestId)), ...entries];
}

/** Under each reading a value that does not fit, or a refutation; at least one value. */
function misfitProof(
  ground: Ground,
  entries: readonly Entry[],
  finds: readonly FindMisfit[],
): readonly Part[] | null {
  const cap = capPartOf(ground);
  const judged = entries.filter(isJudged);
  const misfits = readings.map((reading) =>
    firstOf(finds, (find) => firstOf(judged, (entry) => find(ground, entry, reading, cap))),
  );
  if (misfits.every((misfit) => misfit === null)) return null;
  const refutations = readings.map((reading, at) =>
    misfits[at] === null ? refutationOf(ground, reading, cap) : null,
  );
  const parts = readings.flatMap((_, at) => misfits[at] ?? refutations[at] ?? []);
  if (parts.length < readings.length) return null;
  const needsCap =
    refutations.some(restsOnRefusals) || misfits.some((misfit) => isCapRelevant(misfit, ground));
  return needsCap && cap !== null ? [...parts, cap] : parts;
}

/** A cap may leave less of the second than of the minute, and a 429 of a cap may leave some of the minute. */
function isCapRelevant(misfit: Part | null, { group }: Ground): boolean {
  if (misfit === null) return false;
  const isOn429 = group.limited.some((entry) => idOf(entry) === misfit.requestIds[0]);
  return isOn429 || misfit.rule === 'below-count';
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | null): Found | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}

function isJudged({ exchange }: Entry): boolean {
  const { status } = exchange;
  return status !== null && status < 500 && headerInteger(exchange, 'remaining') !== null;
}

const tooHigh: FindMisfit = (ground, entry, reading) => {
  const { group } = ground;
  const fromMs = entry.highMs - windowMsAtLeast(group.windowMs);
  const isItself = entry.exchange.outcome === 'admitted';
  const sure = boundsThatSurelyCount(group.entries, reading);
  return misfitOf(ground, entry, {
    rule: 'above-count',
    reading,
    allowed: (count) => Math.max(0, group.limit - count),
    // Fewer where one was under way for as long as a window.
    count: surelyCounted(sure, group.windowMs)(entry),
    counted: () =>
      group.entries.filter((other) =>
        other === entry
          ? isItself
          : surelyCounts(other, reading) && other.highMs < entry.lowMs && other.lowMs > fromMs,
      ),
  });
};

/** Requests made before the run lower the value too, and a cap may leave less of the second than of the minute. */
const tooLow: FindMisfit = (ground, entry, reading, cap) => {
  const { group } = ground;
  if (!isSettled(ground, entry) || cap?.rule === 'clear') return null;
  const fromMs = entry.lowMs - settledAfterMs(group.windowMs);
  return misfitOf(ground, entry, {
    rule: 'below-count',
    reading,
    allowed: (count) => group.limit - count,
    count: countWithin(boundsThatMayCount(group.explaining, reading), fromMs, entry.highMs),
    counted: () => {
      const mayCount = thatMayCount(group.explaining, reading);
      const others = within(mayCount, entry, fromMs);
      return mayCount.includes(entry) ? [...others, entry] : others;
    },
  });
};

const onRefusal: FindMisfit = (ground, entry, reading, cap) => {
  if (cap?.rule === 'clear' && !isClear(ground.group, entry)) return null;
  return tooHigh(ground, entry, reading, cap) ?? moreThanLeaves(ground, entry, reading);
};

/** Who alone uses a key knows from one window on all that may leave it. */
function moreThanLeaves(ground: Ground, entry: Entry, reading: Reading): Part | null {
  const { group } = ground;
  if (!isSettled(ground, entry)) return null;
  const fromMs = entry.lowMs - settledAfterMs(group.windowMs);
  const toMs = entry.highMs - windowMsAtLeast(group.windowMs);
  return misfitOf(ground, entry, {
    rule: 'above-leaving',
    reading,
    allowed: (count) => count,
    count: countWithin(boundsThatMayCount(group.explaining, reading), fromMs, toMs),
    counted: () =>
      thatMayCount(group.explaining, reading).filter(
        ({ lowMs, highMs }) => lowMs <= toMs && highMs >= fromMs,
      ),
  });
}

function isSettled({ group, trace }: Ground, { lowMs }: Entry): boolean {
  return trace.header.deployment.exclusiveKeys && lowMs >= group.settledMs;
}

type Bound = {
  readonly rule: 'above-count' | 'below-count' | 'above-leaving';
  readonly reading: Reading;
  /** The value beyond which no service can go, where so many are counted. */
  readonly allowed: (count: number) => number;
  /** How many are, or fewer where fewer allow more: it is asked of each answer, and of few of them who is counted. */
  readonly count: number;
  readonly counted: () => readonly Entry[];
};

/** The misfit of an answer's value with a bound; `null` where the value keeps it, or a clock was stepped. */
function misfitOf({ group, stepped }: Ground, entry: Entry, bound: Bound): Part | null {
  const { rule, reading } = bound;
  const value = headerInteger(entry.exchange, 'remaining') ?? 0;
  const sides = (count: number): readonly [number, number] =>
    rule === 'below-count' ? [value, bound.allowed(count)] : [bound.allowed(count), value];
  const [least, most] = sides(bound.count);
  if (least >= most || stepped(group.entries[0]?.lowMs ?? 0, entry.highMs)) return null;
  const counted = bound.counted();
  const [left, right] = sides(counted.length);
  const requestIds = [idOf(entry), ...idsOf(group, counted)];
  return partOf(rule, { reading, requestIds, left, relation: '<', right });
}
