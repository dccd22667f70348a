import { describe, expect, it, test } from 'vitest';
import { clauseIn } from '../../contract/clauses/of-document.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { calmWorld } from '../simulation/world.ts';
import { promiseCases } from './keepers.ts';
import { mustsWith, type PromisedRate, promisedTrace } from './promise-run.ts';

const rates = [
  { limit: 40, windowSeconds: 60 },
  { limit: 120, windowSeconds: 60 },
  { limit: 12, windowSeconds: 20 },
] as const;

/** The usual start of a simulated run is half a minute from a boundary of the clock; these are 17 and 16 s from one too. */
const startsAtMs = [0, 13_000, 44_000] as const;

describe.each(promiseCases)('$name', ({ promise, kept, broken }) => {
  describe.each(rates)('$limit in $windowSeconds s', (rate) => {
    const promised: PromisedRate = { ...rate, promise };
    const played = (open: Parameters<typeof promisedTrace>[1], startMs: number) =>
      promisedTrace(promised, open, {
        world: { ...calmWorld, startMs: calmWorld.startMs + startMs },
        seed: 1,
      });

    test.each(Object.entries(kept))(
      '%s keeps it: nothing is violated, and the limit is held',
      (_name, open) => {
        for (const startMs of startsAtMs) {
          const trace = played(open, startMs);
          const judgement = judgeTrace(trace);
          expect([startMs, mustsWith(trace, 'violated', judgement)]).toEqual([startMs, []]);
          // A rolling window below half a minute shows too few single places.
          if (promise !== 'rolling' || rate.windowSeconds >= 30)
            expect(mustsWith(trace, 'held', judgement)).toContain('limits.items');
        }
      },
    );

    test('the reference service keeps it: every clause that decides is held', () => {
      const trace = played(null, 0);
      const { document } = trace.header.deployment;
      const open = judgeTrace(trace).clauses.filter(({ clause, verdict }) => {
        const { level, needs } = clauseIn(document, clause) ?? {};
        return level === 'must' && needs !== 'load' && verdict.kind !== 'held';
      });
      expect(open).toEqual([]);
    });

    // In a short window, what a clock may be off and what whole seconds explain is most of it.
    const told = rate.windowSeconds < 60 ? [] : Object.entries(broken);
    it.each(told)('%s breaks it', (_name, open) => {
      for (const startMs of startsAtMs)
        expect([startMs, mustsWith(played(open, startMs), 'violated')]).toEqual([
          startMs,
          expect.arrayContaining(['limits.items']),
        ]);
    });
  });
});
