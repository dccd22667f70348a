import { describe, expect, it, test } from 'vitest';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { mustUnheld } from '../simulation/simulated-trace.ts';
import { calmAfter } from '../simulation/world.ts';
import { promiseCases } from './keepers.ts';
import { mustsWith, type PromisedRate, promisedTrace } from './promise-run.ts';

const rates = [
  { limit: 40, windowSeconds: 60 },
  { limit: 120, windowSeconds: 60 },
  { limit: 12, windowSeconds: 20 },
  { limit: 20, windowSeconds: 10 },
  { limit: 40, windowSeconds: 2 },
  { limit: 10, windowSeconds: 1 },
  { limit: 100, windowSeconds: 1 },
] as const;

/** At different moments of a window: of a minute of the clock the 10th second, the 23rd and the 54th. */
const startsAt = [0, 13 / 60, 44 / 60] as const;

/**
 * What is not told in a short window: there, what clocks may be off and the second that a window may be held longer are much of it.
 * docs/documents.md says so.
 */
const untold = (promise: string, windowSeconds: number): readonly string[] => {
  if (windowSeconds >= 60) return [];
  if (promise === 'at most') return ['two weighed windows'];
  const byLength = windowSeconds < 3 ? ['a longer window', 'a shorter window'] : [];
  if (promise === 'at least') return byLength;
  const byPhase =
    promise === 'fixed by the clock' ? ['moved windows', 'the first request', 'a longer window'] : [];
  const byBegin =
    promise === 'fixed by the first request' && windowSeconds === 1 ? ['moved windows', 'by the clock'] : [];
  const byKind = windowSeconds === 1 ? ['a rolling log', 'two weighed windows'] : [];
  return promise.startsWith('fixed') ? [...byLength, ...byPhase, ...byBegin, ...byKind] : [];
};

describe.each(promiseCases)('$name', ({ name, promise, kept, broken }) => {
  describe.each(rates)('$limit in $windowSeconds s', (rate) => {
    const promised: PromisedRate = { ...rate, promise };
    const played = (open: Parameters<typeof promisedTrace>[1], startAt: number) =>
      promisedTrace(promised, open, {
        world: calmAfter(1_000 * rate.windowSeconds * startAt),
        seed: 1,
      });

    test.each(Object.entries(kept))(
      '%s keeps it: nothing is violated, and the limit is held',
      (_name, open) => {
        for (const startAt of startsAt) {
          const trace = played(open, startAt);
          const judgement = judgeTrace(trace);
          expect([startAt, mustsWith(trace, 'violated', judgement)]).toEqual([startAt, []]);
          expect(mustsWith(trace, 'held', judgement)).toContain('limits.items');
        }
      },
    );

    test('the reference service keeps it: every clause that decides is held', () => {
      const trace = played(null, 0);
      const { document } = trace.header.deployment;
      const open = mustUnheld(document, judgeTrace(trace));
      expect(open.map(({ clause }) => clause)).toEqual([]);
    });

    const told = Object.entries(broken).filter(([is]) => !untold(name, rate.windowSeconds).includes(is));
    it.each(told)('%s breaks it', (_name, open) => {
      for (const startAt of startsAt)
        expect([startAt, mustsWith(played(open, startAt), 'violated')]).toEqual([
          startAt,
          expect.arrayContaining(['limits.items']),
        ]);
    });
  });
});
