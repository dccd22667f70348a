import { type ResetUnit, resetRules } from '../../contract/reset-units.ts';
import { readingsIn } from './limit-headers.ts';
import type { AnswerHeaders, OwnHeaders, Reading, Readings } from './limit-reading.ts';

/** One answer of an endpoint that is looked at. */
export type Look = {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** When its head was there, by the wall clock, ms. */
  readonly receivedMs: number;
};

/** One limit that the headers of an endpoint tell of. */
export type SeenLimit = {
  /** The headers that tell of it, as they are usually written. */
  readonly names: readonly string[];
  /** What the names of its three headers begin with; `null` where they have no such names. */
  readonly triple: string | null;
  /** Those three, as far as they are there; `null` where fields of the IETF say them. */
  readonly own: OwnHeaders | null;
  /** The style of a document that has it so, where it is in fields of the IETF. */
  readonly fields: Reading['fields'];
  readonly limit: number | null;
  /** The length of its window, s, and how that is known: a header says it, or it is concluded from when the window ends. */
  readonly window: { readonly seconds: number; readonly by: 'said' | 'concluded' } | null;
  readonly resetUnit: ResetUnit | null;
  /** Whether all answers told of it. */
  readonly isOnAll: boolean;
  /** What else was seen, a sentence each. */
  readonly hints: readonly string[];
};

/** What the answers to one request with one key say of limits, the shortest window first, and the least limit. None where they say nothing. */
export function seenLimits(looks: readonly Look[]): readonly SeenLimit[] {
  const each = looks.map(({ headers }) => readingsIn(headers));
  const ids = [...new Set(each.flatMap((readings) => [...readings.keys()]))];
  const seen = ids.map((id) => seenLimit(looks, { each, id }));
  return seen
    .filter(({ limit, window, resetUnit }) => limit !== null || window !== null || resetUnit !== null)
    .toSorted(
      (one, other) =>
        (one.window?.seconds ?? 0) - (other.window?.seconds ?? 0) || (one.limit ?? 0) - (other.limit ?? 0),
    );
}

type Of = { readonly each: readonly Readings[]; readonly id: string };

/** One reading of a limit with the answer that it was in. */
type Told = {
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly resetMs: number | null;
  readonly receivedMs: number;
};

function seenLimit(looks: readonly Look[], { each, id }: Of): SeenLimit {
  const readings = looks.flatMap(({ receivedMs }, at) => {
    const reading = each[at]?.get(id);
    return reading === undefined ? [] : [{ ...reading, receivedMs }];
  });
  const [first] = readings;
  const resetUnit = unitOf(readings);
  const told = readings.map(({ limit, remaining, reset, receivedMs }): Told => {
    return { limit, remaining, resetMs: endMs(reset, { unit: resetUnit, receivedMs }), receivedMs };
  });
  const said = (first?.windowSeconds ?? 0) >= 1 ? (first?.windowSeconds ?? null) : null;
  const concluded = said === null ? concludedSeconds(told) : null;
  const seconds = said ?? concluded;
  return {
    names: first?.names ?? [],
    triple: first?.triple ?? null,
    own: first?.own ?? null,
    fields: first?.fields ?? null,
    limit: first?.limit ?? null,
    window: seconds === null ? null : { seconds, by: said === null ? 'concluded' : 'said' },
    resetUnit,
    isOnAll: readings.length === looks.length,
    hints: seconds === null ? [] : hintsOf(told, seconds),
  };
}

/** From here on a number is a point in time: 2001 in seconds, 1973 in ms. */
const epochSecondsMin = 1e9;
const epochMsMin = 1e11;
/** No window is longer, s. */
const toGoSecondsMax = 2_764_800;

type Raw = { readonly reset: string | null; readonly receivedMs: number };

/** By the size of its values, and where that leaves two, by how two of them differ. */
function unitOf(readings: readonly Raw[]): ResetUnit | null {
  const known = readings.filter(({ reset }) => reset !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (first?.reset === null || first?.reset === undefined || last?.reset === null || last === undefined)
    return null;
  const value = Number(first.reset);
  const { reset } = first;
  if (Number.isNaN(value))
    return (['duration', 'date'] as const).find((unit) => resetRules[unit].read(reset) !== null) ?? null;
  if (value >= epochMsMin) return 'epoch-ms';
  if (value >= epochSecondsMin) return 'epoch-seconds';
  const fell = value - Number(last.reset);
  const passedMs = last.receivedMs - first.receivedMs;
  const isMs = value > toGoSecondsMax || (passedMs >= 1_000 && Math.abs(fell - passedMs) < passedMs / 2);
  return isMs ? 'ms' : 'seconds';
}

/** When the window of an answer ends, ms. */
function endMs(
  reset: string | null,
  { unit, receivedMs }: { readonly unit: ResetUnit | null; readonly receivedMs: number },
): number | null {
  if (reset === null || unit === null) return null;
  const { read, origin } = resetRules[unit];
  const seconds = read(reset);
  if (seconds === null) return null;
  return (origin === 'epoch' ? 0 : receivedMs) + seconds * 1_000;
}

/** Windows that people choose, s. */
const usualSeconds = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 43_200];
const daySeconds = 86_400;
/** A Reset in whole seconds, or a clock that is a little off, may name a moment so much too late, s. */
const roundedSeconds = 1.5;

/** The shortest usual window that is as long as the longest time to go. */
function concludedSeconds(told: readonly Told[]): number | null {
  const toGo = told.flatMap(({ resetMs, receivedMs }) =>
    resetMs === null ? [] : [(resetMs - receivedMs) / 1_000],
  );
  const longest = Math.max(...toGo);
  if (toGo.length === 0 || longest <= 0) return null;
  const usual = [...usualSeconds, daySeconds, 7 * daySeconds, 30 * daySeconds];
  return usual.find((seconds) => seconds >= longest - roundedSeconds) ?? null;
}

/** Two ends that are as near as this are one, ms: each may be rounded to a second. */
const sameEndMs = 1_250;

function hintsOf(told: readonly Told[], seconds: number): readonly string[] {
  const [first, last] = [told[0], told.at(-1)];
  if (first?.resetMs === undefined || first.resetMs === null) return [];
  if (last?.resetMs === null || last === undefined || last === first) return [];
  const moved = last.resetMs - first.resetMs;
  const passedMs = last.receivedMs - first.receivedMs;
  const taken = (first.remaining ?? 0) - (last.remaining ?? 0);
  // Refusals take no places.
  const isLeft = told.every(({ remaining }) => remaining !== null && remaining > 0);
  if (isLeft && taken >= 0 && taken < told.length - 1) {
    return [
      `${told.length - 1} more requests took ${taken} places: some came back meanwhile, as from a bucket (promise: token-bucket)`,
    ];
  }
  if (Math.abs(moved) <= sameEndMs) {
    const windowMs = seconds * 1_000;
    // One that has only just begun may end there by chance.
    const isUnderWay = first.resetMs - first.receivedMs < windowMs - sameEndMs;
    const isOnClock = seconds >= 10 && isUnderWay && first.resetMs % windowMs === 0;
    return isOnClock
      ? ['its window ends at a multiple of its length on the clock, as { kind: fixed, aligned: clock } does']
      : ['the end of its window stays where it is, as with fixed, and with some that roll'];
  }
  return Math.abs(moved - passedMs) <= sameEndMs
    ? ['the end of its window moves with each request, as with some that roll, and with buckets']
    : [];
}
