import { secondsText } from '../evidence.ts';
import { limitText } from './in-units.ts';
import type { Contradiction, PromisedGroup, Prover } from './prover.ts';
import { proveAtMost } from './rolling.ts';

/** In how many windows what was admitted is added up. */
const windowCounts = [1, 2, 3, 4, 5] as const;

/** A window that is counted in whole seconds may be over so much too soon, ms; twice that is more than any is. */
const soonMs = 2_000;

/**
 * The limit once more than there are windows in any stretch that is shorter than these: where windows begin anew, no more than so many
 * begin in it; and a bucket gets back less than it holds for each. It holds wherever the windows lie, so also within a burst.
 */
export const proveAtMostAnew: Prover = (promised) => {
  const { windowMs } = promised.group;
  for (const windows of windowCounts) {
    if (windows > 1 && windowMs < (windows + 1) * soonMs) return null;
    const found = proveIn(promised, windows);
    if (found !== null) return found;
  }
  return null;
};

function proveIn(promised: PromisedGroup, windows: number): Contradiction | null {
  const { group } = promised;
  const { limit, windowMs, admitted } = group;
  if (admitted.length <= (windows + 1) * limit) return null;
  const found = proveAtMost({
    ...promised,
    group: { ...group, limit: (windows + 1) * limit, windowMs: windows * windowMs },
  });
  if (found === null) return null;
  const most =
    windows === 1
      ? 'so twice that in less than one'
      : `so ${(windows + 1) * limit} in less than ${windows} windows of ${secondsText(windowMs)}`;
  return {
    ...found,
    expected: `at most ${limitText(group)} of a key admitted in each window, ${most}`,
  };
}
