import type { BurstPicture, Returns, Timeline } from '../../contract/pictures.ts';
import type { Frontier } from './frontier.ts';
import type { Nights } from './nights.ts';

/** What the charts of a page draw. Browsers read it too: this file imports types alone. */
export type PageData = {
  readonly frontier: Frontier | null;
  readonly windowMs: number;
  readonly timelines: readonly Timeline[];
  readonly returns: readonly Returns[];
  readonly bursts: readonly BurstPicture[];
  readonly nights: Nights | null;
};

/** For pages without pictures of a run. */
export const noPictures: Omit<PageData, 'frontier'> = {
  windowMs: 0,
  timelines: [],
  returns: [],
  bursts: [],
  nights: null,
};

/** The strategies that no other one beats in both makespan and waste, the fastest first. */
export function frontierOf(strategies: Frontier['strategies']): Frontier['strategies'] {
  const byMakespan = strategies.toSorted(
    (left, right) =>
      left.makespanSeconds.value - right.makespanSeconds.value || left.wasted.value - right.wasted.value,
  );
  let leastWasted = Number.POSITIVE_INFINITY;
  return byMakespan.filter(({ wasted }) => {
    if (wasted.value >= leastWasted) return false;
    leastWasted = wasted.value;
    return true;
  });
}
