import type { Frontier } from './frontier.ts';

/** Of some strategies those that no other beats in both makespan and waste, the fastest first. */
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
