import { describe, expect, test } from 'vitest';
import { planRun } from '../../checks/plan.ts';
import type { Trace } from '../../contract/trace.ts';
import { examine } from '../../judge/examine.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { calmWorld } from '../simulation/world.ts';
import { type LimiterOpener, type PromiseCase, promiseCases } from './keepers.ts';
import { mustsWith, promisedTrace } from './promise-run.ts';
import { type OneOfTwo, openTwo } from './several.ts';

const atRates = (first: PromiseCase, also: PromiseCase): readonly [OneOfTwo, OneOfTwo] => [
  { promise: first.promise, limit: 100, windowSeconds: 60 },
  { promise: also.promise, limit: 10, windowSeconds: 2 },
];

function caseOf(name: string): PromiseCase {
  const found = promiseCases.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no promise is called ${name}`);
  return found;
}

function traceOfTwo([first, also]: readonly [OneOfTwo, OneOfTwo], open: LimiterOpener): Trace {
  return promisedTrace({ ...first, also }, open, { world: calmWorld, seed: 1 });
}

const pairs = [
  ['rolling', 'rolling'],
  ['rolling', 'fixed'],
  ['fixed by the first request', 'rolling'],
  ['fixed by the clock', 'token bucket'],
  ['token bucket', 'fixed'],
  ['token bucket', 'token bucket'],
  ['rolling', 'at most'],
  ['unsaid', 'rolling'],
] as const;

describe.each(pairs)('%s, and %s beside it', (firstName, alsoName) => {
  const [first, also] = [caseOf(firstName), caseOf(alsoName)];
  const two = atRates(first, also);
  const kept = Object.entries(first.kept).flatMap(([one, behindFirst]) =>
    Object.entries(also.kept)
      // Fewer than an upper bound is not met twice.
      .filter(([other]) => other !== 'fewer')
      .map(([other, behindAlso]) => [one, other, [behindFirst, behindAlso]] as const),
  );

  test.each(kept)('%s and %s keep both: both are held, whichever is asked first', (_one, _other, behind) => {
    for (const asked of ['first before also', 'also before first'] as const) {
      const trace = traceOfTwo(two, openTwo(two, behind, asked));
      const judgement = judgeTrace(trace);
      expect([asked, mustsWith(trace, 'violated', judgement)]).toEqual([asked, []]);
      expect(mustsWith(trace, 'held', judgement)).toEqual(
        expect.arrayContaining(['limits.items', 'limits.items.also']),
      );
      const { deployment, limits, windowMs } = trace.header;
      const plan = planRun({ deployment, limits, windowMs, mode: 'full', keys: 2, unannounced: false });
      const { exchanges } = trace;
      expect((exchanges.at(-1)?.sentMs ?? 0) - (exchanges[0]?.sentMs ?? 0)).toBeLessThan(
        1_000 * plan.seconds,
      );
      expect(exchanges.length).toBeLessThanOrEqual(plan.requestsMax);
    }
  });

  const keepsFirst = Object.values(first.kept)[0] ?? null;
  const keepsAlso = Object.values(also.kept)[0] ?? null;
  const violatedWith = (behind: Parameters<typeof openTwo>[1]): readonly string[] =>
    mustsWith(traceOfTwo(two, openTwo(two, behind, 'first before also')), 'violated');

  test('one that was forgotten is violated, and the other is not', () => {
    expect(violatedWith([null, keepsAlso])).toContain('limits.items');
    const withoutAlso = violatedWith([keepsFirst, null]);
    expect(withoutAlso).toContain('limits.items.also');
    expect(withoutAlso).not.toContain('limits.items');
  });

  // Of several limiters that may be, some explain one request more.
  if (first.promise === 'unsaid') return;
  test('one more than the first is violated, and so is one more than the other', () => {
    expect(violatedWith([first.broken['one more'] ?? null, keepsAlso])).toContain('limits.items');
    expect(violatedWith([keepsFirst, also.broken['one more'] ?? null])).toContain('limits.items.also');
  });
});

test('one fewer is violated on the limit that comes nearest to it', () => {
  const rolling = caseOf('rolling');
  const two = atRates(rolling, rolling);
  const log = Object.values(rolling.kept)[0] ?? null;
  const fewer = rolling.broken['one fewer'] ?? null;
  for (const [behind, clause] of [
    [[fewer, log], 'limits.items'],
    [[log, fewer], 'limits.items.also'],
  ] as const) {
    const trace = traceOfTwo(two, openTwo(two, behind, 'first before also'));
    expect(mustsWith(trace, 'violated')).toEqual([clause]);
  }
});

test('the page of a run takes no figure of a kept pair for impossible, and names no single limiter', () => {
  const rolling = caseOf('rolling');
  const two = atRates(rolling, rolling);
  const log = Object.values(rolling.kept)[0] ?? null;
  const { pictures, identified, failures } = examine(
    traceOfTwo(two, openTwo(two, [log, log], 'first before also')),
  );
  expect(failures).toEqual([]);
  expect(identified.filter(({ key }) => key === 'A')).toEqual([]);
  const [timeline] = pictures.timelines;
  const { remaining = [], remainingLow = [], remainingHigh = [] } = timeline?.marks ?? {};
  expect(remaining.some((value) => value !== null)).toBe(true);
  const isPossible = (value: number | null, at: number): boolean =>
    value === null || (value >= (remainingLow[at] ?? 0) && value <= (remainingHigh[at] ?? 0));
  expect(remaining.every(isPossible)).toBe(true);
});

test.each([
  [70_000, 530],
  [70_000, 1_000],
  [100_000, 2_500],
])('a machine that slept at %i ms for %i ms blames nobody', (atMs, forMs) => {
  const [begun, rolling] = [caseOf('fixed by the first request'), caseOf('rolling')];
  const first = { promise: begun.promise, limit: 20, windowSeconds: 60 };
  const also = { promise: rolling.promise, limit: 60, windowSeconds: 75 };
  const open = openTwo(
    [first, also],
    [begun.kept['first request'] ?? null, rolling.kept['a rolling log'] ?? null],
    'first before also',
  );
  const world = { ...calmWorld, suspend: { atMs: calmWorld.startMs + atMs, forMs } };
  const judgement = judgeTrace(promisedTrace({ ...first, also }, open, { world, seed: 1 }));
  const kinds = judgement.clauses.map(({ verdict }) => verdict.kind);
  expect(kinds).not.toContain('violated');
  expect(kinds).not.toContain('crashed');
});
