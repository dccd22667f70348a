import { greatestOf } from '../../contract/extremes.ts';
import { countBelow, countUpTo } from '../counting.ts';
import { mostIn } from './cap.ts';
import type { Hints, Span } from './fit.ts';
import { certainIn, type Observations } from './observations.ts';
import { returnsOf } from './returns.ts';

/** How many were admitted until the first refusal. */
export function firstBurstOf({ refusals, high, admissions }: Observations): number {
  return Math.max(1, countUpTo(admissions.certainLow, high[refusals[0] as number] as number));
}

/** How many were surely admitted in a row of bursts. */
export function admittedIn({ admissions }: Observations, { lowMs, highMs }: Span): number {
  return certainIn(admissions, lowMs, highMs + instantMs);
}

/** Makes an end belong to its row. */
const instantMs = 0.001;

/** The most that was surely admitted in one row of bursts. */
export function fullestRow(seen: Observations): number {
  return Math.max(0, greatestOf(seen.rows.map((row) => admittedIn(seen, row))));
}

/** Limits that the first burst met, with some of what went unanswered in it or without; and what is expected. */
export function limitsMet(seen: Observations, { limit }: Hints): readonly number[] {
  const burst = firstBurstOf(seen);
  return distinct([burst, ...perhaps(seen, burst), limit ?? burst]);
}

/** The limit of a short window that what came before the burst had left by then; none where nothing had. */
export function limitMetAlone(seen: Observations): readonly number[] {
  const left = leftBefore(seen);
  const alone = firstBurstOf(seen) - left;
  // One at a time is a gap, whoever keeps it.
  return left > 0 && alone > 1 ? [alone] : [];
}

/**
 * Admissions that may have left a short window before the burst that met the limit: those before the longest pause, where
 * something came back after no longer than they had been there. 0 where there are none.
 */
function leftBefore(seen: Observations): number {
  const [back] = returnsOf(seen);
  const refusedMs = seen.low[seen.refusals[0] as number] as number;
  const filling = seen.rows.filter(({ lowMs }) => lowMs <= refusedMs);
  const pauses = filling
    .slice(1)
    .map(({ lowMs }, at) => ({ lowMs, ms: lowMs - (filling[at] as Span).highMs }));
  if (back === undefined || pauses.length === 0) return 0;
  const longest = pauses.reduce((best, pause) => (pause.ms > best.ms ? pause : best));
  return back.lowMs - refusedMs <= longest.ms ? countBelow(seen.admissions.certainLow, longest.lowMs) : 0;
}

/** Those of a counter, too, that had a boundary in the midst of the first burst, which lets a few more through. */
export function counterLimitsMet(seen: Observations, hints: Hints): readonly number[] {
  const burst = firstBurstOf(seen);
  return distinct([...limitsMet(seen, hints), burst - 1, roundBelow(burst)]);
}

/** Limits that a counter may have instead of that of the first burst. */
export function otherCounterLimits(seen: Observations): readonly number[] {
  const burst = firstBurstOf(seen);
  return distinct([...neighbours(burst), roundBelow(burst)]).filter((limit) => limit !== burst);
}

/** Limits that anything may have where that of the first burst does not explain the trace. */
export function unlikelyLimits(seen: Observations): readonly number[] {
  return distinct([...neighbours(firstBurstOf(seen)), mostIn(seen, 1_000)]);
}

/** A burst across a boundary lets a few more through than the limit, which is most likely a round number. */
export function roundBelow(burst: number): number {
  return Math.max(1, Math.floor(burst / 10) * 10);
}

function neighbours(limit: number): readonly number[] {
  return [limit - 1, limit + 1];
}

/** Requests that were neither admitted nor limited may have counted: at most this many are tried. */
const perhapsMax = 4;

/** Limits that the first burst met if some of what went unanswered counted. */
function perhaps({ refusals, sentBy }: Observations, burst: number): readonly number[] {
  const more = (sentBy[refusals[0] as number] as number) - burst;
  return Array.from({ length: Math.min(perhapsMax, more) }, (_, at) => burst + at + 1);
}

/** Each once, without those that admit nothing. */
function distinct(limits: readonly number[]): readonly number[] {
  return [...new Set(limits)].filter((limit) => limit >= 1);
}
