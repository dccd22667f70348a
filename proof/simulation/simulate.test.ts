import { describe, expect, test } from 'vitest';
import { planRun } from '../../checks/plan.ts';
import { findClause } from '../../contract/clauses/registry.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { offlineService } from '../../service/offline.ts';
import { simulate } from './simulate.ts';
import type { SimulatedRequest } from './simulated-service.ts';
import { clausesWith, opening, simulatedTrace } from './simulated-trace.ts';
import { calmWorld, type World } from './world.ts';

const { windowMs } = opening;
const refused = { status: 429, retryAfter: '1' } as const;
const service = () => offlineService({ limits: documentedLimits, windowMs, faults: [] });

/** The wall clock's minute begins at another moment of the run in each. */
const worlds: readonly World[] = [0, 11, 23, 37, 49, 58].map((seconds) => ({
  ...calmWorld,
  startMs: 1_760_000_040_000 + seconds * 1_000,
}));

describe('the documented service', () => {
  test.each(worlds)('holds every must clause that needs no k6, started at %o', (world) => {
    const judgement = judgeTrace(simulatedTrace(service(), world, 1));
    const unheld = judgement.clauses.filter(({ clause, verdict }) => {
      return (
        findClause(clause)?.level === 'must' &&
        findClause(clause)?.needs !== 'load' &&
        verdict.kind !== 'held'
      );
    });
    expect(unheld).toEqual([]);
    expect(clausesWith(judgement, 'violated')).toEqual([]);
  });

  test('is judged within about 1.1 windows, and within the plan', () => {
    const exchanges = simulate({ opening, service: service(), world: calmWorld, seed: 2 });
    const spanMs = (exchanges.at(-1)?.sentMs ?? 0) - (exchanges[0]?.sentMs ?? 0);
    expect(spanMs).toBeLessThan(1.1 * windowMs);
    const { deployment, limits } = opening;
    const plan = planRun({ deployment, limits, windowMs, mode: 'full', keys: 2, unannounced: false });
    expect(exchanges.length).toBeLessThanOrEqual(plan.requestsMax);
  });

  test.each<readonly [string, (stated: string) => string | null, number]>([
    ['as soon as the service counts nothing else', (stated) => stated, 62_150],
    ['one second later where no count is stated', () => null, 63_150],
  ])('fills the window again %s', (_when, saying, aboutMs) => {
    const silent = (request: SimulatedRequest, nowMs: number) => {
      const answer = documented(request, nowMs);
      const { remaining } = answer?.headers ?? { remaining: null };
      if (answer === null || remaining === null) return answer;
      return { ...answer, headers: { ...answer.headers, remaining: saying(remaining) } };
    };
    const documented = service();
    const exchanges = simulate({ opening, service: silent, world: calmWorld, seed: 2 });
    const again = exchanges.find(({ purpose }) => purpose === 'reburst')?.sentMs ?? 0;
    expect(again - (exchanges[0]?.sentMs ?? 0)).toBeGreaterThan(aboutMs - 100);
    expect(again - (exchanges[0]?.sentMs ?? 0)).toBeLessThan(aboutMs + 200);
  });

  test('asks for what an early burst was refused once a limiter of whole seconds had time', () => {
    const documented = service();
    const stubborn = (request: SimulatedRequest, nowMs: number) => {
      // It states the right count, and refuses most of what comes after it.
      const answer = documented(request, nowMs);
      return request.purpose.startsWith('reburst') && answer !== null ? { ...answer, ...refused } : answer;
    };
    const exchanges = simulate({ opening, service: stubborn, world: calmWorld, seed: 2 });
    const anchorMs = exchanges[0]?.sentMs ?? 0;
    const firstMs = (purpose: string): number =>
      (exchanges.find((one) => one.purpose === purpose)?.sentMs ?? 0) - anchorMs;
    expect(firstMs('reburst')).toBeLessThan(62_350);
    expect(firstMs('reburst-edge')).toBeGreaterThan(63_050);
  });

  test('shows its window to within a tenth of a second', () => {
    const { groups } = judgeTrace(simulatedTrace(service(), calmWorld, 3));
    const measured = groups.filter(({ key }) => key === 'A').map((group) => group.windowMs);
    expect(measured).toHaveLength(3);
    for (const length of measured) {
      expect(length?.low).toBeGreaterThan(windowMs - 100);
      expect(length?.high).toBeLessThan(windowMs + 100);
    }
  });
});

test('a run depends on its seed alone', () => {
  const run = (seed: number) => simulate({ opening, service: service(), world: calmWorld, seed });
  expect(run(5)).toEqual(run(5));
  expect(run(5)).not.toEqual(run(6));
});
