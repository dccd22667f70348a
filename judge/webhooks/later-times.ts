/** A double of the ms since the Unix epoch is a whole number of these, from 2004 to 2039. */
const unitMs = 1 / 4_096;

/** Times that come after others, each in 4 bytes and exact: a rounded one could change what is said of it. */
export type LaterTimes = {
  readonly set: (at: number, ms: number) => void;
  readonly get: (at: number) => number;
};

/**
 * Keeps how much later each is. Those that this does not give exactly, such as one 18 minutes later, are kept apart.
 * @param fromMs the times before, each set before the one after it is.
 */
export function laterTimes(fromMs: Float64Array): LaterTimes {
  const units = new Uint32Array(fromMs.length);
  const others = new Map<number, number>();
  const reckoned = (at: number): number => (fromMs[at] as number) + (units[at] as number) * unitMs;
  return {
    set(at, ms) {
      units[at] = (ms - (fromMs[at] as number)) / unitMs;
      if (reckoned(at) !== ms) others.set(at, ms);
    },
    get: (at) => others.get(at) ?? reckoned(at),
  };
}
