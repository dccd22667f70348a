import { describe, expect, it } from 'vitest';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { calmAfter } from '../simulation/world.ts';
import { promiseCases } from './keepers.ts';
import { mustsWith, promisedTrace } from './promise-run.ts';

// Where a limiter counts by the clock, what a run shows depends on how long after a boundary it begins.

const rates = [
  { limit: 120, windowSeconds: 60 },
  { limit: 100, windowSeconds: 900 },
] as const;
const phases = 11;
const names = ['fixed by the clock', 'fixed by the first request', 'at most'];
const cases = promiseCases.filter(({ name }) => names.includes(name));

describe.each(cases)('$name', ({ promise, kept, broken }) => {
  describe.each(rates)('$limit in $windowSeconds s, begun at any time of a window', (rate) => {
    const played = (open: Parameters<typeof promisedTrace>[1]) =>
      Array.from({ length: phases }, (_, at) => {
        const afterMs = (1_000 * rate.windowSeconds * (at + 0.5)) / phases;
        const world = calmAfter(afterMs);
        return promisedTrace({ ...rate, promise }, open, { world, seed: 1 });
      });

    it.each(Object.entries(kept))('%s keeps it', (_name, open) => {
      for (const trace of played(open)) {
        const judgement = judgeTrace(trace);
        expect(mustsWith(trace, 'violated', judgement)).toEqual([]);
        expect(mustsWith(trace, 'held', judgement)).toContain('limits.items');
      }
    });

    it.each(Object.entries(broken))('%s breaks it', (_name, open) => {
      for (const trace of played(open)) expect(mustsWith(trace, 'violated')).toContain('limits.items');
    });
  });
});
