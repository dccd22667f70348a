/** A double of the ms since the Unix epoch is a whole number of these, from 2004 to 2039. */
const unitMs = 1 / 4_096;

/** Times of which each takes 4 bytes and is yet exact: a rounded one could change what is said of it. */
export type ExactTimes = {
  readonly set: (at: number, ms: number) => void;
  readonly get: (at: number) => number;
  /** What most of them take. */
  readonly units: Uint32Array;
};

/**
 * Keeps how much later each is. Those that this does not give exactly, such as one 18 minutes later, are kept apart.
 * @param fromMs the time before each, known before it is set.
 */
export function laterTimes(count: number, fromMs: (at: number) => number): ExactTimes {
  const units = new Uint32Array(count);
  const others = new Map<number, number>();
  const reckoned = (at: number): number => fromMs(at) + (units[at] as number) * unitMs;
  return {
    set(at, ms) {
      units[at] = (ms - fromMs(at)) / unitMs;
      if (reckoned(at) !== ms) others.set(at, ms);
    },
    get: (at) => others.get(at) ?? reckoned(at),
    units,
  };
}

/** So many times in a row are kept by how much later they are than the first of them. */
const rowLength = 256;

/** Times that are set one after the other, most of them in ascending order. */
export function timesInARow(count: number): ExactTimes {
  const firstMs = new Float64Array(Math.ceil(count / rowLength));
  const times = laterTimes(count, (at) => firstMs[Math.floor(at / rowLength)] as number);
  return {
    set(at, ms) {
      if (at % rowLength === 0) firstMs[at / rowLength] = ms;
      times.set(at, ms);
    },
    get: times.get,
    units: times.units,
  };
}
