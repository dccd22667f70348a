import { describe, expect, test } from 'vitest';
import type { Limiter, Rate } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { slidingLogCountingRejections } from '../../limiters/sliding-log-counting-rejections.ts';
import { twoBucket } from '../../limiters/two-bucket.ts';
import { otherLimiter } from '../../service/faults/other-window.ts';
import { offlineService } from '../../service/offline.ts';
import { reference } from './subjects.ts';
import { wholeRun } from './whole-run.ts';

/** Clauses that a run finds violated at any of 30, 120 and 300 a minute, and why. */
function violatedBy(limiterOf: (rate: Rate) => Limiter<unknown>, seed: number): readonly string[] {
  const fault = { name: 'other', summary: 'another limiter', patch: otherLimiter(limiterOf) };
  const limits = { standard: 120, messages: 300, media: 30 };
  const service = offlineService({ limits, windowMs: 60_000, faults: [fault] });
  const { judgement } = wholeRun({ service, setting: reference.setting, seed });
  return judgement.clauses.flatMap(({ clause, verdict }) =>
    verdict.kind === 'violated' ? [`${clause} ${verdict.reason}`] : [],
  );
}

const seconds = [20, 25, 33, 40, 45, 50, 52, 55, 57, 59, 61.5, 62, 63, 65, 66, 70, 75, 80, 85];

describe('a rolling window of another length is blamed on its length alone', () => {
  test.each(seconds)('%s s', (length) => {
    const windowMs = length * 1_000;
    const expected = [`window.length ${length < 60 ? 'too-short' : 'too-long'}`];
    const logs = [slidingLog, slidingLogCountingRejections];
    for (const [at, log] of logs.entries()) {
      const found = violatedBy((rate) => log({ ...rate, windowMs }) as Limiter<unknown>, at + 1);
      expect(found).toEqual(expected);
    }
  });
});

test.each([0, 5, 23, 31, 47])(
  'a window counter that counts rejections, from second %s on, has no other length',
  (phase) => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const counter = (rate: Rate) => twoBucket(rate, { phaseMs: phase * 1_000, counts: 'all' });
      const found = violatedBy((rate) => counter(rate) as Limiter<unknown>, seed);
      expect(found.filter((one) => one.startsWith('window.length'))).toEqual([]);
      expect(found).not.toEqual([]);
    }
  },
);
