/** The ways in which the JSON body of a refusal can write how long to wait. */
export const waitUnits = ['whole-seconds', 'seconds', 'ms'] as const;

export type WaitUnit = (typeof waitUnits)[number];

type Rules = {
  /** A value in seconds, whatever its sign; `null` where it is not of this unit. */
  readonly read: (value: unknown) => number | null;
  /** A whole number of seconds, as this unit writes it. */
  readonly write: (seconds: number) => number;
  /** What a value is, as it stands in a sentence. */
  readonly words: string;
  /** The same, of those that are waits. */
  readonly usable: string;
};

export const waitRules: Readonly<Record<WaitUnit, Rules>> = {
  'whole-seconds': {
    read: (value) => (Number.isInteger(value) ? (value as number) : null),
    write: (seconds) => seconds,
    words: 'a whole number of seconds',
    usable: 'whole number of at least 1',
  },
  seconds: {
    read: (value) => (typeof value === 'number' ? value : null),
    write: (seconds) => seconds,
    words: 'a number of seconds',
    usable: 'number above 0',
  },
  ms: {
    read: (value) => (typeof value === 'number' ? value / 1_000 : null),
    write: (seconds) => 1_000 * seconds,
    words: 'a number of milliseconds',
    usable: 'number above 0',
  },
};

/** How a document has the wait written that its refusals name in their body: where it says nothing, in whole seconds. */
export function waitUnitOf(
  refusal: { readonly retryAfterUnit?: WaitUnit | undefined } | undefined,
): WaitUnit {
  return refusal?.retryAfterUnit ?? 'whole-seconds';
}
