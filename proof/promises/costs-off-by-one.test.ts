import { describe, expect, test } from 'vitest';
import { judgeTrace } from '../../judge/judge-trace.ts';
import type { Deviation } from '../../service/faults/fault.ts';
import { calmWorld } from '../simulation/world.ts';
import { type LimiterOpener, promiseCases } from './keepers.ts';
import { type Costs, mustsWith, promisedTrace } from './promise-run.ts';

/** A service that takes one unit more or less for what its document says costs so much. */
function counting(cost: number, byOne: 1 | -1): Deviation {
  return {
    name: 'costs-off-by-one',
    summary: 'what costs so much takes one unit more, or one less',
    patch: (behaviour) => ({
      ...behaviour,
      costOf: (request) => {
        const told = behaviour.costOf(request);
        return told === cost ? told + byOne : told;
      },
    }),
  };
}

const dearer = [2, 3, 4, 5, 6, 7, 8, 9, 10];

/** The limits of the messaging document, and a second request of other costs; one that stands for its scope and is dear itself. */
const costings: readonly (Costs & { readonly limit: number })[] = [
  ...dearer.map((dear) => ({ limit: 120, cost: 1, others: [dear] })),
  ...[30, 300].flatMap((limit) => [2, 5, 10].map((dear) => ({ limit, cost: 1, others: [dear] }))),
  { limit: 120, cost: 4, others: [1] },
  { limit: 120, cost: 1, others: [3, 7] },
  { limit: 120, cost: 2, others: [5] },
];

/** Those that grant as much as they bound: who promises an upper bound may count too much, and who guarantees, too little. */
const exact = promiseCases.filter(({ name }) => !['at most', 'at least', 'unsaid'].includes(name));

describe.each(exact)('$name', ({ promise, kept }) => {
  // One of the keepers for each number, so that each meets many of them.
  const opened = (at: number): LimiterOpener => {
    const keepers = Object.values(kept);
    return keepers[at % keepers.length] as LimiterOpener;
  };
  const played = ({ limit, ...costs }: (typeof costings)[number], at: number, faults: readonly Deviation[]) =>
    promisedTrace({ promise, limit, windowSeconds: 60, costs, isBare: true }, opened(at), {
      world: calmWorld,
      seed: 1,
      faults,
    });

  test.each(costings)(
    '$limit units, of which requests cost $cost, $others: a unit more or less is told',
    (costs) => {
      const at = costings.indexOf(costs);
      const truth = played(costs, at, []);
      const judged = judgeTrace(truth);
      expect(mustsWith(truth, 'violated', judged)).toEqual([]);
      expect(mustsWith(truth, 'held', judged)).toContain('limits.items');
      for (const cost of [costs.cost, ...costs.others]) {
        for (const byOne of [1, -1] as const) {
          if (cost + byOne < 1) continue;
          const violated = mustsWith(played(costs, at, [counting(cost, byOne)]), 'violated');
          expect([cost, byOne, violated.length]).toEqual([
            cost,
            byOne,
            expect.toSatisfy((count) => count > 0),
          ]);
        }
      }
    },
  );
});
