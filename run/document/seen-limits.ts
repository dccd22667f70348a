import { howMany } from '../../contract/quantities.ts';
import { type ResetUnit, resetRules } from '../../contract/reset-units.ts';
import { readingsIn } from './limit-headers.ts';
import type { AnswerHeaders, OwnHeaders, Reading, Readings } from './limit-reading.ts';
import { type Refill, refillOf } from './refill.ts';

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
  /**
   * The length of its window, s, and how that is known: a header says it, or it is concluded from when the window ends, or from how long a
   * bucket takes to get places back.
   */
  readonly window: { readonly seconds: number; readonly by: 'said' | 'concluded' | 'refill' } | null;
  /** What its reset tells of a bucket, where it does not say when a window ends. */
  readonly refill: Refill | null;
  readonly resetUnit: ResetUnit | null;
  /** How many the last answer said to be used, and how many more than the first; `null` where none said it, or also of how many. */
  readonly used: { readonly most: number; readonly rose: number } | null;
  /** How many remained in the first answer. */
  readonly remaining: number | null;
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
  const told = seen.filter(
    ({ limit, window, resetUnit, own }) =>
      limit !== null || window !== null || resetUnit !== null || (own !== null && own.remaining !== null),
  );
  // What was used of something else stays as it is.
  const rising = told.filter(({ limit, used }) => limit !== null || used === null || used.rose > 0);
  return (rising.length > 0 ? rising : told).toSorted(
    (one, other) =>
      (one.window?.seconds ?? 0) - (other.window?.seconds ?? 0) || (one.limit ?? 0) - (other.limit ?? 0),
  );
}

/** The headers that tell of a limit, for people. */
export function namesText({ names }: SeenLimit): string {
  return names.join(', ');
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
  const refill = refillOf(told, roundedMs(readings, resetUnit));
  const window = windowOf({ said, refill, told, resetUnit });
  return {
    names: first?.names ?? [],
    triple: first?.triple ?? null,
    own: first?.own ?? null,
    fields: first?.fields ?? null,
    limit: first?.limit ?? null,
    window,
    refill,
    resetUnit,
    used: usedIn(readings),
    remaining: first?.remaining ?? null,
    isOnAll: readings.length === looks.length,
    hints: [...costHints(readings), ...hintsOf(told, { seconds: window?.seconds ?? null, refill })],
  };
}

/** What one request costs, where all of them cost the same and more than 1. */
function costHints(readings: readonly Reading[]): readonly string[] {
  const { rose = 0 } = usedIn(readings) ?? {};
  const cost = rose / (readings.length - 1);
  return Number.isInteger(cost) && cost > 1
    ? [
        `${howMany(readings.length - 1, 'more request')} took ${rose} units: each costs ${cost} (cost: ${cost})`,
      ]
    : [];
}

function usedIn(readings: readonly Reading[]): SeenLimit['used'] {
  const all = readings.flatMap(({ used }) => used ?? []);
  const [first, last] = [all[0], all.at(-1)];
  return first === undefined || last === undefined ? null : { most: last, rose: last - first };
}

type OfWindow = {
  readonly said: number | null;
  readonly refill: Refill | null;
  readonly told: readonly Told[];
  readonly resetUnit: ResetUnit | null;
};

/** What a header says; else when a bucket is full; else when the window ends. */
function windowOf({ said, refill, told, resetUnit }: OfWindow): SeenLimit['window'] {
  if (said !== null) return { seconds: said, by: 'said' };
  if (refill !== null) {
    const whole = refill.wholeSeconds;
    return whole === null || whole < 1 ? null : { seconds: nearUsual(whole), by: 'refill' };
  }
  const seconds = concludedSeconds(told, resetUnit);
  return seconds === null ? null : { seconds, by: 'concluded' };
}

/** What a reset is rounded to, ms: a second where no value has a part of one. */
function roundedMs(readings: readonly Raw[], unit: ResetUnit | null): number {
  const isFine = unit === 'ms' || unit === 'epoch-ms' || unit === 'duration';
  return isFine || readings.some(({ reset }) => /\d\.\d*[1-9]/.test(reset ?? '')) ? 0 : 1_000;
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

const usual = [...usualSeconds, daySeconds, 7 * daySeconds, 30 * daySeconds];

/** A usual window that is about as long, or else whole seconds. */
function nearUsual(seconds: number): number {
  return usual.find((one) => Math.abs(one - seconds) <= one / 10) ?? Math.round(seconds);
}

/** The shortest usual window that is as long as the longest time to go. */
function concludedSeconds(told: readonly Told[], unit: ResetUnit | null): number | null {
  const toGo = told.flatMap(({ resetMs, receivedMs }) =>
    resetMs === null ? [] : [(resetMs - receivedMs) / 1_000],
  );
  const longest = Math.max(...toGo);
  if (toGo.length === 0 || longest <= 0) return null;
  // What is to go is the service's own figure, whatever its clock says.
  const isToGo = unit !== null && resetRules[unit].origin === 'answer';
  const rounded = isToGo ? Math.min(roundedSeconds, longest / 20) : roundedSeconds;
  return usual.find((seconds) => seconds >= longest - rounded) ?? null;
}

/** Two ends that are as near as this are one, ms: each may be rounded to a second. */
const sameEndMs = 1_250;

type Known = { readonly seconds: number | null; readonly refill: Refill | null };

function hintsOf(told: readonly Told[], { seconds, refill }: Known): readonly string[] {
  const [first, last] = [told[0], told.at(-1)];
  if (first === undefined || last === undefined || last === first) return [];
  const taken = (first.remaining ?? 0) - (last.remaining ?? 0);
  // Refusals take no places.
  const isLeft = told.every(({ remaining }) => remaining !== null && remaining > 0);
  const passedMs = last.receivedMs - first.receivedMs;
  // In windows that are as short as that, all places come back.
  const isShort = seconds !== null && seconds * 1_000 <= passedMs;
  if (isLeft && !isShort && taken >= 0 && taken < told.length - 1) {
    return [
      `${howMany(told.length - 1, 'more request')} took ${howMany(taken, 'place')}: some came back meanwhile, as from a bucket (promise: token-bucket)`,
    ];
  }
  if (refill !== null) {
    return [
      'its reset moved further than the time that passed, as when it says when a bucket is full again (promise: token-bucket)',
    ];
  }
  if (first.resetMs === null || last.resetMs === null || seconds === null) return [];
  const moved = last.resetMs - first.resetMs;
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
