import { countedText } from './in-units.ts';
import type { Prover } from './prover.ts';
import { proveAtMost } from './rolling.ts';

/**
 * Twice the limit in any stretch that is shorter than a window: where windows begin anew, no more than one begins in it; and a
 * bucket gets less than all that it holds. It holds wherever the windows lie, so also within a burst.
 */
export const proveAtMostTwice: Prover = (promised) => {
  const { group } = promised;
  const found = proveAtMost({ ...promised, group: { ...group, limit: 2 * group.limit } });
  if (found === null) return null;
  const expected = `at most ${group.limit} ${countedText(group)} of a key admitted in each window, so twice that in less than one`;
  return { ...found, expected };
};
