import type { Observations } from './observations.ts';

/**
 * The same trace is asked about for each size of bucket, and with some of its refusals taken out: what was admitted in it stays
 * the same.
 */
export function onceATrace<Value>(compute: (seen: Observations) => Value): (seen: Observations) => Value {
  const memory = new WeakMap<Observations['admissions'], Value>();
  return (seen) => {
    const known = memory.get(seen.admissions) ?? compute(seen);
    memory.set(seen.admissions, known);
    return known;
  };
}
