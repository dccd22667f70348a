import { describe, expect, test } from 'vitest';
import type { ClauseId } from '../../contract/clauses/registry.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { findFault } from '../../service/faults.ts';
import { offlineService } from '../../service/offline.ts';
import { openingFor, worldFor, worldOf } from '../faults/whole-run.ts';
import { clausesWith, simulatedTrace } from './simulated-trace.ts';

const rates = { limits: { standard: 120, messages: 300, media: 30 }, windowMs: 60_000 };

/** There and back takes so long, ms, give or take. */
type RoundTrip = { readonly ms: number; readonly byMs: number };

function judged(fault: string | null, { ms, byMs }: RoundTrip, seed: number) {
  const found = fault === null ? undefined : findFault(fault);
  const service = offlineService({ ...rates, faults: found === undefined ? [] : [found] });
  const latencyMs = (random: () => number) => (ms + (2 * random() - 1) * byMs) / 2;
  const world = { ...worldOf(seed), latencyMs };
  return judgeTrace(simulatedTrace(service, world, seed, openingFor({ perSecond: 'average' }, seed)));
}

const slow: readonly RoundTrip[] = [
  { ms: 100, byMs: 40 },
  { ms: 200, byMs: 60 },
  { ms: 350, byMs: 100 },
];

const verySlow: RoundTrip = { ms: 500, byMs: 150 };

const seeds = [1, 2, 3, 4];

test.each([...slow, verySlow])(
  'where a request takes $ms ± $byMs ms there and back, no clause of a conforming service stays open',
  (roundTrip) => {
    for (const seed of seeds) {
      const judgement = judged(null, roundTrip, seed);
      expect(clausesWith(judgement, 'violated'), `seed ${seed}`).toEqual([]);
      expect(clausesWith(judgement, 'inconclusive'), `seed ${seed}`).toEqual([]);
    }
  },
);

describe.each(slow)('where a request takes $ms ± $byMs ms there and back', (roundTrip) => {
  test.each<readonly [string, ClauseId]>([
    ['retry-after-floored', 'error.retry-after-suffices'],
    ['limit-minus-one', 'limits.standard'],
    ['window-long', 'window.length'],
    ['fixed-window-first-request', 'window.rolling'],
  ])('%s is still found', (fault, clause) => {
    for (const seed of seeds.slice(0, 2)) {
      expect(clausesWith(judged(fault, roundTrip, seed), 'violated'), `seed ${seed}`).toContain(clause);
    }
  });
});

test.each([
  ['any network', worldOf],
  ['a quick network', (seed: number) => worldFor({ oneWayMsMax: 5 }, seed)],
])(
  'in %s answers that are held up while places come back one by one leave no window open',
  (_in, worldBy) => {
    const seedsOfStalls = Array.from({ length: 12 }, (_, at) => at + 1);
    const open = seedsOfStalls.filter((seed) => {
      const service = offlineService({ ...rates, faults: [] });
      let turn = seed;
      const stalling: Parameters<typeof simulatedTrace>[0] = (request, nowMs) => {
        const answer = service(request, nowMs);
        if (answer === null || !/^(ladder|retry|gap)/.test(request.purpose)) return answer;
        turn += 1;
        return { ...answer, delayMs: answer.delayMs + 60 + 20 * ((7 * turn) % 13) };
      };
      const trace = simulatedTrace(stalling, worldBy(seed), seed, openingFor({ perSecond: 'average' }, seed));
      return clausesWith(judgeTrace(trace), 'inconclusive').length > 0;
    });
    expect(open).toEqual([]);
  },
);
