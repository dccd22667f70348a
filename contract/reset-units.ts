import type { Exchange } from './exchange.ts';
import { parseHeaderInteger } from './rate-limit-headers.ts';

/** The ways in which a header can write the moment at which a window resets. */
export const resetUnits = ['epoch-seconds', 'epoch-ms', 'seconds', 'ms', 'duration', 'date'] as const;

export type ResetUnit = (typeof resetUnits)[number];

type Rules = {
  /** A raw value in seconds after the origin; `null` where it is not of this unit. */
  readonly read: (raw: string) => number | null;
  /** The Unix epoch by the service's clock, or the moment at which it answered. */
  readonly origin: 'epoch' | 'answer';
  /** The unit as it stands in a sentence: "Unix seconds from now to 60 s from now". */
  readonly words: string;
  /** What a value has to be, after "is a": "plain decimal integer". */
  readonly form: string;
};

const integer = 'plain decimal integer';

/** A fraction is read too: documents say seconds, not whole seconds. */
function decimal(raw: string): number | null {
  return parseHeaderInteger(raw) ?? (/^\d{1,15}\.\d{1,9}$/.test(raw) ? Number(raw) : null);
}

/** The same in milliseconds, s. */
function thousandth(raw: string): number | null {
  const ms = decimal(raw);
  return ms === null ? null : ms / 1_000;
}

/** How long each unit of a duration is, s; "µs" as text, and as its two bytes are where headers are read byte by byte. */
const durationSeconds: Readonly<Record<string, number>> = {
  ...{ h: 3_600, m: 60, s: 1, ms: 1e-3 },
  ...{ us: 1e-6, µs: 1e-6, μs: 1e-6, Âµs: 1e-6, ns: 1e-9 },
};
const durationShape = /^(?:\d{1,15}(?:\.\d{1,9})?(?:h|m|s|ms|us|µs|μs|Âµs|ns))+$/;

/** Figures with a unit each, as Go writes a duration: `6m0s`, `59.5s`, `120ms`. */
function duration(raw: string): number | null {
  if (!durationShape.test(raw)) return null;
  const parts = [...raw.matchAll(/([\d.]+)([^\d.]+)/g)];
  return parts.reduce((sum, [, figure, unit = '']) => sum + Number(figure) * (durationSeconds[unit] ?? 0), 0);
}

/** A day and a time with its zone: as HTTP writes it (RFC 9110 §5.6.7), as RFC 3339 §5.6 does, or as JavaScript does. */
const dated =
  /^\S.{0,60}\d:\d{2}(?::\d{2}(?:\.\d{1,9})?)?\s?(?:Z|UTC|(?:GMT|UTC)?[+-]\d{2}:?\d{2}(?: \(.{1,40}\))?|GMT)$/i;

export const resetRules: Readonly<Record<ResetUnit, Rules>> = {
  'epoch-seconds': { read: decimal, origin: 'epoch', words: 'Unix seconds', form: integer },
  'epoch-ms': { read: thousandth, origin: 'epoch', words: 'Unix milliseconds', form: integer },
  seconds: { read: decimal, origin: 'answer', words: 'seconds to go', form: integer },
  ms: { read: thousandth, origin: 'answer', words: 'milliseconds to go', form: integer },
  duration: {
    read: duration,
    origin: 'answer',
    words: 'a duration to go, as 1m30s',
    form: 'duration, as 1m30s',
  },
  date: {
    read: (raw) => {
      const ms = dated.test(raw) ? Date.parse(raw) : Number.NaN;
      return Number.isNaN(ms) ? null : ms / 1_000;
    },
    origin: 'epoch',
    words: 'a date with its zone',
    form: 'date with its zone',
  },
};

/** The reset of an answer, s after its unit's origin: `null` where the header is missing or not of this unit. */
export function resetIn(unit: ResetUnit, { headers }: Pick<Exchange, 'headers'>): number | null {
  return headers.reset === null ? null : resetRules[unit].read(headers.reset);
}

/** A moment, ms since the Unix epoch, in seconds after the origin of a unit's values on an answer of that moment. */
export function momentIn(unit: ResetUnit, atMs: number): number {
  return resetRules[unit].origin === 'epoch' ? atMs / 1_000 : 0;
}
