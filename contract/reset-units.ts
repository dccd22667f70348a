import type { Exchange } from './exchange.ts';
import { parseHeaderInteger } from './rate-limit-headers.ts';

/** The ways in which a header can write the moment at which a window resets. */
export const resetUnits = ['epoch-seconds', 'epoch-ms', 'seconds', 'date'] as const;

export type ResetUnit = (typeof resetUnits)[number];

type Rules = {
  /** A raw value in seconds after the origin; `null` where it is not of this unit. */
  readonly read: (raw: string) => number | null;
  /** The Unix epoch by the service's clock, or the moment at which it answered. */
  readonly origin: 'epoch' | 'answer';
  /** The unit as it stands in a sentence: "Unix seconds from now to 60 s from now". */
  readonly words: string;
};

/** A fraction is read too: documents say seconds, not whole seconds. */
function decimal(raw: string): number | null {
  return parseHeaderInteger(raw) ?? (/^\d{1,15}\.\d{1,9}$/.test(raw) ? Number(raw) : null);
}

/** A day and a time with its zone: as HTTP writes it (RFC 9110 §5.6.7), as RFC 3339 §5.6 does, or as JavaScript does. */
const dated =
  /^\S.{0,60}\d:\d{2}(?::\d{2}(?:\.\d{1,9})?)?\s?(?:Z|UTC|(?:GMT|UTC)?[+-]\d{2}:?\d{2}(?: \(.{1,40}\))?|GMT)$/i;

export const resetRules: Readonly<Record<ResetUnit, Rules>> = {
  'epoch-seconds': { read: decimal, origin: 'epoch', words: 'Unix seconds' },
  'epoch-ms': {
    read: (raw) => {
      const ms = decimal(raw);
      return ms === null ? null : ms / 1_000;
    },
    origin: 'epoch',
    words: 'Unix milliseconds',
  },
  seconds: { read: decimal, origin: 'answer', words: 'seconds to go' },
  date: {
    read: (raw) => {
      const ms = dated.test(raw) ? Date.parse(raw) : Number.NaN;
      return Number.isNaN(ms) ? null : ms / 1_000;
    },
    origin: 'epoch',
    words: 'a date with its zone',
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
