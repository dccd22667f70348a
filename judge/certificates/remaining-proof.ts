import { settledAfterMs, windowMsAtLeast } from '../../contract/bounds.ts';
import type { CapPart, Misfit, Proof } from '../../contract/certificate.ts';
import { headerInteger } from '../../contract/rate-limit-headers.ts';
import type { Entry } from '../entries.ts';
import { type Reading, readings } from '../lengths.ts';
import { capPartOf, type Ground, idsOf, isClear, mayCountUnder, within } from './ground.ts';
import { refutationOf, restsOnRefusals } from './refutations.ts';

type FindMisfit = (ground: Ground, entry: Entry, reading: Reading, cap: CapPart | null) => Misfit | null;

/** The proof that values of `Remaining` fit no count; `null` where the trace does not give one for this reason. */
export function remainingProof(ground: Ground, reason: string, shown: readonly string[]): Proof | null {
  const judged = ground.group.entries.filter(({ exchange }) => exchange.outcome !== 'limited');
  const named = reason === 'too-high' ? [tooHigh, tooLow] : [tooLow, tooHigh];
  const kind = reason === 'too-high' ? 'surely-counted' : 'perhaps-counted';
  const proof = misfitProof(ground, shownFirst(judged, shown), named);
  const hasReason = proof?.readings.some(({ misfit }) => misfit?.kind === kind);
  return hasReason === true ? proof : null;
}

/** The same for a 429 that leaves more than may have come free while it was written. */
export function remainingOn429Proof(ground: Ground, shown: readonly string[]): Proof | null {
  const { limited } = ground.group;
  return misfitProof(ground, shownFirst(limited, shown), [onRefusal]);
}

function shownFirst(entries: readonly Entry[], shown: readonly string[]): readonly Entry[] {
  const first = new Set(shown);
  const isShown = ({ exchange }: Entry): boolean => first.has(exchange.requestId);
  return [...entries.filter(isShown), ...entries.filter((entry) => !isShown(entry))];
}

type RemainingProof = Extract<Proof, { readonly rule: 'remaining' }>;

/** Under each reading a value that does not fit, or a refutation; at least one value. */
function misfitProof(
  ground: Ground,
  entries: readonly Entry[],
  finds: readonly FindMisfit[],
): RemainingProof | null {
  const cap = capPartOf(ground);
  const judged = entries.filter(isJudged);
  const parts = readings.map((reading) => {
    const misfit = firstOf(finds, (find) => firstOf(judged, (entry) => find(ground, entry, reading, cap)));
    return { reading, refuted: misfit === null ? refutationOf(ground, reading, cap) : null, misfit };
  });
  const isProved = parts.every(({ refuted, misfit }) => refuted !== null || misfit !== null);
  if (!isProved || parts.every(({ misfit }) => misfit === null)) return null;
  const needsCap = parts.some(
    ({ refuted, misfit }) => restsOnRefusals(refuted) || isCapRelevant(misfit, ground),
  );
  return { rule: 'remaining', readings: parts, cap: needsCap ? cap : null };
}

/** A cap may leave less of the second than of the minute, and a 429 of a cap may leave some of the minute. */
function isCapRelevant(misfit: Misfit | null, { group }: Ground): boolean {
  if (misfit === null) return false;
  const isOn429 = group.limited.some(({ exchange }) => exchange.requestId === misfit.exchange);
  return isOn429 || misfit.kind === 'perhaps-counted';
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
  const counted = group.entries.filter((other) =>
    other === entry
      ? entry.exchange.outcome === 'admitted'
      : surelyCounts(other, reading) && other.highMs < entry.lowMs && other.lowMs > fromMs,
  );
  const right = Math.max(0, group.limit - counted.length);
  return misfitOf(ground, entry, { kind: 'surely-counted', counted, relation: '>', right });
};

function surelyCounts({ exchange: { outcome } }: Entry, reading: Reading): boolean {
  return outcome === 'admitted' || (reading === 'counted' && outcome === 'limited');
}

/** Requests made before the run lower the value too, and a cap may leave less of the second than of the minute. */
const tooLow: FindMisfit = (ground, entry, reading, cap) => {
  const { group } = ground;
  if (!isSettled(ground, entry) || cap?.kind === 'clear') return null;
  const mayCount = mayCountUnder(group.explaining, reading);
  const others = within(mayCount, entry, entry.lowMs - settledAfterMs(group.windowMs));
  const counted = mayCount.includes(entry) ? [...others, entry] : others;
  const right = group.limit - counted.length;
  return misfitOf(ground, entry, { kind: 'perhaps-counted', counted, relation: '<', right });
};

const onRefusal: FindMisfit = (ground, entry, reading, cap) => {
  if (cap?.kind === 'clear' && !isClear(ground.group, entry)) return null;
  return tooHigh(ground, entry, reading, cap) ?? moreThanLeaves(ground, entry, reading);
};

/** Who alone uses a key knows from one window on all that may leave it. */
function moreThanLeaves(ground: Ground, entry: Entry, reading: Reading): Misfit | null {
  const { group } = ground;
  if (!isSettled(ground, entry)) return null;
  const fromMs = entry.lowMs - settledAfterMs(group.windowMs);
  const toMs = entry.highMs - windowMsAtLeast(group.windowMs);
  const counted = mayCountUnder(group.explaining, reading).filter(
    ({ lowMs, highMs }) => lowMs <= toMs && highMs >= fromMs,
  );
  return misfitOf(ground, entry, { kind: 'may-leave', counted, relation: '>', right: counted.length });
}

function isSettled({ group, trace }: Ground, { lowMs }: Entry): boolean {
  return trace.header.deployment.exclusiveKeys && lowMs >= group.settledMs;
}

type Bound = {
  readonly kind: Misfit['kind'];
  readonly counted: readonly Entry[];
  readonly relation: '<' | '>';
  readonly right: number;
};

/** The misfit of an answer's value with a bound; `null` where the value keeps it, or a clock was stepped. */
function misfitOf({ group, stepped }: Ground, entry: Entry, bound: Bound): Misfit | null {
  const { kind, counted, relation, right } = bound;
  const left = headerInteger(entry.exchange, 'remaining') ?? 0;
  const fits = relation === '>' ? left <= right : left >= right;
  if (fits || stepped(group.entries[0]?.lowMs ?? 0, entry.highMs)) return null;
  return {
    exchange: entry.exchange.requestId,
    kind,
    counted: idsOf(group, counted),
    inequality: { left, relation, right },
  };
}
