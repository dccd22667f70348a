import { once } from '../../contract/once.ts';
import type { Observations } from './observations.ts';

/**
 * Refusals that were on their way together, one with the next, from one place among all of them to another: any of these may have
 * been decided first, and one of them was.
 */
export type RefusedCrowd = {
  readonly from: number;
  readonly until: number;
  /** Position of the one that was answered last. */
  readonly last: number;
  /** When the first answer had come, by which the first of them was decided. */
  readonly answeredMs: number;
};

/** All refusals by crowds, in the order in which they were sent. Whatever the service's clock says, it decides in the order of time. */
export const refusedCrowds = once(
  ({ order: { low, high }, limited }: Observations): readonly RefusedCrowd[] => {
    const crowds: RefusedCrowd[] = [];
    for (let from = 0, until = 0; from < limited.length; from = until) {
      let last = limited[from] as number;
      let answeredMs = high[last] as number;
      for (until = from + 1; until < limited.length; until += 1) {
        const next = limited[until] as number;
        if ((low[next] as number) > (high[last] as number)) break;
        if ((high[next] as number) > (high[last] as number)) last = next;
        answeredMs = Math.min(answeredMs, high[next] as number);
      }
      crowds.push({ from, until, last, answeredMs });
    }
    return crowds;
  },
);
