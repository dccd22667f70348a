import { bounds, settledAfterMs, windowMsAtLeast, windowMsAtMost } from '../../contract/bounds.ts';
import type { Part, PartRule } from '../../contract/certificate.ts';
import type { Entry } from '../entries.ts';
import { seenOfCrowd, unexplainedCrowds } from '../first-refused.ts';
import { holdingOf } from '../granularity.ts';
import { explainedLengths, type Reading, thatMayCount } from '../lengths.ts';
import { spanOf } from '../span.ts';
import { type Ground, idOf, idsOf, isClear, partOf, tightest, within } from './ground.ts';

/** Limit + 1 admissions inside one window, which refute either reading; `null` where there are none. */
export function overAdmission({ group, stepped }: Ground, reading: Reading): Part | null {
  const by = tightest(group.entries, group.limit);
  const { ms, fromMs, toMs } = spanOf(by);
  const right = windowMsAtLeast(group.windowMs);
  if (by.length === 0 || ms >= right || stepped(fromMs, toMs)) return null;
  return partOf('over-admission', {
    reading,
    requestIds: idsOf(group, by),
    left: ms,
    relation: '<',
    right,
  });
}

/** An admission after as many as the limit, rejections among them, inside one window. */
function admittedWhileFull({ group, stepped }: Ground): Part | null {
  const { limit, entries } = group;
  const by = explainedLengths({ limit, entries, reading: 'counted', refusals: [] }).highBy();
  const admission = by.at(-1);
  if (admission === undefined) return null;
  const counted = by.slice(0, -1).slice(-limit);
  const { fromMs } = spanOf(counted);
  const ms = admission.highMs - fromMs;
  const right = windowMsAtLeast(group.windowMs);
  const isAfter = counted.every(({ highMs }) => highMs < admission.lowMs);
  if (!isAfter || ms >= right || stepped(fromMs, admission.highMs)) return null;
  return partOf('admitted-while-full', {
    reading: 'counted',
    requestIds: [idOf(admission), ...idsOf(group, counted)],
    left: ms,
    relation: '<',
    right,
  });
}

type RoomOptions = {
  readonly reading: Reading;
  readonly granularityMs: number;
  readonly cap: Part | null;
};

/** The refusal with the most room before it under a reading; `null` where none had any. */
function refusalWithRoom(ground: Ground, options: RoomOptions): Entry | null {
  const { group, stepped, trace } = ground;
  if (!trace.header.deployment.exclusiveKeys) return null;
  const refusals = refusalsFor(ground, options).filter(
    (refusal) => !stepped(refusal.lowMs - settledAfterMs(group.windowMs), refusal.highMs),
  );
  const { limit, explaining: entries } = group;
  const { lowBy } = explainedLengths({ limit, entries, reading: options.reading, refusals });
  return lowBy !== null && refusedWithRoom(ground, lowBy, options) !== null ? lowBy : null;
}

const byRefusals: ReadonlySet<PartRule> = new Set(['refused-with-room', 'refused-together', 'no-parts']);

/** Whether a refutation holds only where no cap per second explains its refusals. */
export function restsOnRefusals(refutation: Part | null): boolean {
  return refutation !== null && byRefusals.has(refutation.rule);
}

/** Refusals that neither requests from before the run nor a cap per second explain. */
function refusalsFor({ group }: Ground, { granularityMs, cap }: Pick<RoomOptions, 'granularityMs' | 'cap'>) {
  const fromMs = group.settledMs - bounds.granularityMs + granularityMs;
  return group.limited.filter(
    (refusal) => refusal.lowMs >= fromMs && (cap?.rule !== 'clear' || isClear(group, refusal)),
  );
}

/** No window that counts in parts of a second explains all refusals and admissions together. */
function noParts(ground: Ground, reading: Reading, cap: Part | null): Part | null {
  const { group, stepped, trace } = ground;
  const refusals = refusalsFor(ground, { granularityMs: 0, cap });
  if (!trace.header.deployment.exclusiveKeys || holdingOf(group, reading, refusals) !== 'none') return null;
  const { fromMs, toMs } = spanOf([...group.admitted, ...group.limited]);
  if (stepped(fromMs, toMs)) return null;
  return partOf('no-parts', {
    reading,
    requestIds: idsOf(group, refusals),
    left: 0,
    relation: '<',
    right: 1,
  });
}

/** A 429 although even all that may have been counted before it is fewer than the limit; `null` where it is not. */
function refusedWithRoom(
  { group }: Ground,
  refusal: Entry,
  { reading, granularityMs }: RoomOptions,
): Part | null {
  const fromMs = refusal.lowMs - windowMsAtMost(group.windowMs + granularityMs);
  const mayCount = within(thatMayCount(group.explaining, reading), refusal, fromMs);
  if (mayCount.length >= group.limit) return null;
  return partOf('refused-with-room', {
    reading,
    requestIds: [idOf(refusal), ...idsOf(group, mayCount)],
    left: mayCount.length,
    relation: '<',
    right: group.limit,
  });
}

/**
 * 429s of which none can have been decided first, where rejections count: before each of them fewer than the limit may have taken a
 * place without these; `null` where there are none.
 */
function refusedTogether(ground: Ground, cap: Part | null): Part | null {
  const { group, stepped, trace } = ground;
  if (!trace.header.deployment.exclusiveKeys) return null;
  const { limit, explaining: entries } = group;
  const refusals = refusalsFor(ground, { granularityMs: bounds.granularityMs, cap });
  const asked = { limit, entries, refusals, windowMs: group.windowMs + bounds.granularityMs };
  for (const crowd of unexplainedCrowds(asked)) {
    const { fromMs, toMs } = spanOf(crowd);
    if (stepped(fromMs - settledAfterMs(group.windowMs), toMs)) continue;
    return partOf('refused-together', {
      reading: 'counted',
      requestIds: idsOf(group, crowd),
      left: seenOfCrowd(asked, crowd).most.length,
      relation: '<',
      right: limit,
    });
  }
  return null;
}

/** What refutes one reading, whatever it is; `null` where the trace leaves it. */
export function refutationOf(ground: Ground, reading: Reading, cap: Part | null): Part | null {
  const over = overAdmission(ground, reading);
  if (over !== null) return over;
  const options = { reading, granularityMs: bounds.granularityMs, cap };
  const refusal = refusalWithRoom(ground, options);
  if (refusal !== null) return refusedWithRoom(ground, refusal, options);
  const together = noParts(ground, reading, cap);
  return (
    together ?? (reading === 'counted' ? (refusedTogether(ground, cap) ?? admittedWhileFull(ground)) : null)
  );
}

/** Both readings refuted by refusals with room, one refusal for both where there is such a one. */
export function refutedByRefusals(
  ground: Ground,
  granularityMs: number,
  cap: Part | null,
): readonly [Part, Part] | null {
  const under = (reading: Reading): RoomOptions => ({ reading, granularityMs, cap });
  const isMust = granularityMs > 0;
  const together = (reading: Reading) => (isMust ? noParts(ground, reading, cap) : null);
  const common = refusalWithRoom(ground, under('counted'));
  const refusal = common ?? refusalWithRoom(ground, under('not-counted'));
  const notCounted =
    refusal === null ? together('not-counted') : refusedWithRoom(ground, refusal, under('not-counted'));
  const counted =
    common === null
      ? (together('counted') ?? (isMust ? refusedTogether(ground, cap) : null) ?? admittedWhileFull(ground))
      : refusedWithRoom(ground, common, under('counted'));
  return notCounted === null || counted === null ? null : [notCounted, counted];
}
