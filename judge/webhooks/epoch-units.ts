/** Units of an epoch number, and how many of them are a millisecond. */
const units = [
  { name: 'seconds', perMs: 1e-3 },
  { name: 'milliseconds', perMs: 1 },
  { name: 'microseconds', perMs: 1e3 },
  { name: 'nanoseconds', perMs: 1e6 },
] as const;

export type Unit = (typeof units)[number];

/** An event may be delivered late, from a queue that was stopped for long. */
const ageMsMax = 366 * 86_400_000;

/** Clocks may be apart by this much. */
const aheadMsMax = 300_000;

/** The units in which a number is a time of the year before its arrival; the ranges lie far apart, so it is one or none. */
export function plausibleUnits(timestamp: number, arrivedMs: number): readonly Unit[] {
  return units.filter(({ perMs }) => {
    const ageMs = arrivedMs - timestamp / perMs;
    return ageMs >= -aheadMsMax && ageMs <= ageMsMax;
  });
}
