import { expect, test } from 'vitest';
import { otherRate } from '../../service/faults/other-window.ts';
import { offlineService } from '../../service/offline.ts';
import { wholeRun } from './whole-run.ts';

/** What a run in the world of a seed says of the window of a service that holds each place so much longer, ms. */
function violatedBy(lateMs: number, oneWayMsMax: number, seed: number): readonly string[] {
  const patch = otherRate((rate) => ({ ...rate, windowMs: rate.windowMs + lateMs }));
  const fault = { name: 'late', summary: 'a window that is a bit too long', patch };
  const limits = { standard: 120, messages: 300, media: 30 };
  const service = offlineService({ limits, windowMs: 60_000, faults: [fault] });
  const { judgement } = wholeRun({ service, setting: { oneWayMsMax }, seed });
  return judgement.clauses.flatMap(({ clause, verdict }) =>
    verdict.kind === 'violated' ? [`${clause} ${verdict.reason}`] : [],
  );
}

const seeds = Array.from({ length: 20 }, (_, at) => at + 1);

/** The figures of docs/verdicts.md. Faults of service/faults/rates.ts are in the gate beside them. */
test.each([
  { lateMs: 70, oneWayMsMax: 3 },
  { lateMs: 200, oneWayMsMax: 20 },
  { lateMs: 300, oneWayMsMax: 50 },
  { lateMs: 950, oneWayMsMax: 50 },
])(
  'a window $lateMs ms too long is that, where nothing takes more than $oneWayMsMax ms one way',
  (late) => {
    for (const seed of seeds) {
      expect(violatedBy(late.lateMs, late.oneWayMsMax, seed), `seed ${seed}`).toEqual([
        'window.length too-long',
      ]);
    }
  },
  120_000,
);

test.each([
  { lateMs: 50, oneWayMsMax: 10 },
  { lateMs: 100, oneWayMsMax: 35 },
])(
  'in a slower network a place is held too long at least: $lateMs ms, $oneWayMsMax ms one way',
  (late) => {
    for (const seed of seeds) {
      const [found, ...others] = violatedBy(late.lateMs, late.oneWayMsMax, seed);
      expect(found, `seed ${seed}`).toMatch(/^window\.(length too-long|granularity whole-seconds)$/);
      expect(others).toEqual([]);
    }
  },
  120_000,
);
