import { describe, expect, it, test } from 'vitest';
import { planRun } from '../../checks/plan.ts';
import { clauseIn } from '../../contract/clauses/of-document.ts';
import { costOf } from '../../contract/document/cost.ts';
import { examine } from '../../judge/examine.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { costFaults } from '../../service/faults/costs.ts';
import { calmWorld } from '../simulation/world.ts';
import { promiseCases } from './keepers.ts';
import { type Costs, mustsWith, type PromisedRate, promisedTrace } from './promise-run.ts';

/** A cheap request beside dearer ones, a dear one beside a cheap one, and one dear one alone. */
const costings: readonly (Costs & { readonly name: string; readonly limit: number })[] = [
  { name: '1, beside 5 and 20', cost: 1, others: [5, 20], limit: 100 },
  { name: '7, beside 1', cost: 7, others: [1], limit: 60 },
  { name: '5 alone', cost: 5, others: [], limit: 100 },
];

const seed = 1;

describe.each(promiseCases)('$name', ({ promise, kept, broken }) => {
  describe.each(costings)('requests cost $name', ({ limit, ...costs }) => {
    const rate: PromisedRate = { promise, limit, windowSeconds: 60, costs };
    const played = (open: Parameters<typeof promisedTrace>[1], faults: typeof costFaults | [] = []) =>
      promisedTrace(rate, open, { world: calmWorld, seed, faults });

    test.each(Object.entries(kept))(
      '%s keeps it: nothing is violated, and the limit is held',
      (_name, open) => {
        const trace = played(open);
        const judgement = judgeTrace(trace);
        expect(mustsWith(trace, 'violated', judgement)).toEqual([]);
        expect(mustsWith(trace, 'held', judgement)).toContain('limits.items');
        const { deployment, limits, windowMs } = trace.header;
        const plan = planRun({ deployment, limits, windowMs, mode: 'full', keys: 2, unannounced: false });
        const { exchanges } = trace;
        expect((exchanges.at(-1)?.sentMs ?? 0) - (exchanges[0]?.sentMs ?? 0)).toBeLessThan(
          1_000 * plan.seconds,
        );
        expect(exchanges.length).toBeLessThanOrEqual(plan.requestsMax);
      },
    );

    test('the reference service keeps it: every clause that decides is held', () => {
      const trace = played(null);
      const { document } = trace.header.deployment;
      const open = judgeTrace(trace).clauses.filter(({ clause, verdict }) => {
        const { level, needs } = clauseIn(document, clause) ?? {};
        return level === 'must' && needs !== 'load' && verdict.kind !== 'held';
      });
      expect(open).toEqual([]);
    });

    // What a limit is short or long by less than the cheapest request costs decides about no request.
    const least = Math.min(costs.cost, ...costs.others);
    const told = Object.entries(broken).filter(([name]) => least === 1 || !name.startsWith('one '));
    it.each(told)('%s breaks it', (_name, open) => {
      expect(mustsWith(played(open), 'violated')).toContain('limits.items');
    });
  });
});

describe.each(promiseCases)('$name', ({ promise }) => {
  const costs = { cost: 1, others: [5, 20] };
  const broken = (name: string): readonly string[] => {
    const faults = costFaults.filter((fault) => fault.name === name);
    const trace = promisedTrace({ promise, limit: 100, windowSeconds: 60, costs }, null, {
      world: calmWorld,
      seed,
      faults,
    });
    return mustsWith(trace, 'violated');
  };
  // An upper bound is kept by who counts too much, a guarantee by who counts too little; and of several limiters that may be,
  // some explain one request more.
  const isFree = {
    'at-most': ['costs-twice'],
    'at-least': ['costs-uncounted', 'costs-overdrawn'],
    unsaid: ['costs-overdrawn'],
  };
  const free: readonly string[] =
    typeof promise === 'string' && promise in isFree ? isFree[promise as keyof typeof isFree] : [];

  test.each(['costs-uncounted', 'costs-twice', 'costs-overdrawn'])(
    '%s is violated where it is one',
    (name) => {
      expect(broken(name)).toEqual(free.includes(name) ? [] : ['limits.items']);
    },
  );

  test('Remaining that falls by requests is too high', () => {
    expect(broken('remaining-by-requests')).toEqual(promise === 'at-least' ? [] : ['headers.remaining']);
  });
});

test('a trace says what a request costs where that is not 1', () => {
  const costs = { cost: 7, others: [1] };
  const { exchanges } = promisedTrace({ promise: 'rolling', limit: 60, windowSeconds: 60, costs }, null, {
    world: calmWorld,
    seed,
  });
  const keyed = exchanges.filter(({ route }) => route === 'main' || route === 'beside');
  expect(keyed.every((one) => costOf(one) === (one.route === 'main' ? 7 : 1))).toBe(true);
  expect(keyed.filter(({ route }) => route === 'beside').every((one) => !('cost' in one))).toBe(true);
});

test('a dear request is refused while a cheap one still passes, and nobody is blamed', () => {
  const costs = { cost: 1, others: [20] };
  const trace = promisedTrace({ promise: 'rolling', limit: 100, windowSeconds: 60, costs }, null, {
    world: calmWorld,
    seed,
  });
  const at = trace.exchanges.findIndex(({ purpose }) => purpose === 'edge');
  expect(trace.exchanges[at]?.outcome).toBe('limited');
  expect(
    trace.exchanges
      .slice(at)
      .some(({ purpose, outcome }) => purpose === 'saturate' && outcome === 'admitted'),
  ).toBe(true);
  expect(mustsWith(trace, 'violated')).toEqual([]);
  const { identified, failures } = examine(trace);
  expect(failures).toEqual([]);
  const [found] = identified.filter(({ key }) => key === 'A');
  expect([found?.algorithm].flat()).toContain('sliding-log');
  expect(found?.limit).toBe(100);
});
