import { describe, expect, test } from 'vitest';
import { planRun } from '../../checks/plan.ts';
import { documentSchema } from '../../contract/document/document.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import type { Limiter, Rate } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { slidingLogCountingRejections } from '../../limiters/sliding-log-counting-rejections.ts';
import { twoBucket } from '../../limiters/two-bucket.ts';
import type { Deviation } from '../../service/faults/fault.ts';
import { otherLimiter } from '../../service/faults/other-window.ts';
import { variants } from '../../service/faults.ts';
import { offlineService } from '../../service/offline.ts';
import { openingOf } from '../simulation/document-opening.ts';
import { clausesWith, simulatedTrace } from '../simulation/simulated-trace.ts';
import { calmWorld } from '../simulation/world.ts';
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

/** A run of a document with one scope, whose service holds each place longer by this, or counts what it rejects. */
function heldLonger(
  said: { readonly windowSeconds: number; readonly limit: number; readonly errors: string },
  byMs: number,
  faults: readonly Deviation[] = [],
) {
  const { windowSeconds, limit, errors } = said;
  const all = { title: 'all', limit, request: { path: '/items' } };
  const document = documentSchema.parse({
    ...{ version: 1, title: 'a', windowSeconds, errors, headers: 'none', scopes: { all } },
  });
  const opening = openingOf(document);
  const windowMs = opening.windowMs + byMs;
  const service = offlineService({ document, limits: opening.limits, windowMs, faults });
  return { opening, trace: simulatedTrace(service, calmWorld, 1, opening) };
}

describe('a window that is too long by about what lies between its fill and its saturation', () => {
  // The requests that the ladder has rejected explain the late return as well, until more is asked.
  const lengths = [30, 45, 60, 90].flatMap((windowSeconds) =>
    ['none', 'success-false'].map((errors) => ({ windowSeconds, errors })),
  );
  test.each(lengths)('is too long in $windowSeconds s, with errors: $errors', (said) => {
    for (const limit of [8, 20, 30, 50, 120]) {
      for (const share of [0.036, 0.042, 0.048, 0.052, 0.058]) {
        const { trace } = heldLonger({ ...said, limit }, share * 1_000 * said.windowSeconds);
        expect(clausesWith(judgeTrace(trace), 'violated'), `${limit}, ${share}`).toEqual(['window.length']);
      }
    }
  });

  test.each(lengths)(
    'is told at up to twice its length in $windowSeconds s, with errors: $errors',
    (said) => {
      for (const limit of [8, 10, 20, 29]) {
        for (const share of [0.3, 0.6, 0.9, 1]) {
          const { trace } = heldLonger({ ...said, limit }, share * 1_000 * said.windowSeconds);
          expect(clausesWith(judgeTrace(trace), 'violated'), `${limit}, ${share}`).toContain('window.length');
        }
      }
    },
  );

  test('takes no more requests than were planned, however long it is', () => {
    for (const windowSeconds of [10, 60, 300, 900]) {
      for (const share of [0.05, 0.3, 0.48, 0.7]) {
        const said = { windowSeconds, limit: 30, errors: 'none' };
        const { opening, trace } = heldLonger(said, share * 1_000 * windowSeconds);
        const { requestsMax } = planRun({ ...opening, keys: 2, unannounced: false });
        expect(trace.exchanges.length).toBeLessThanOrEqual(requestsMax);
      }
    }
  });
});

describe('a service that counts what it rejects', () => {
  const counting = variants.filter(({ name }) => name === 'rejections-counted');
  test.each([10, 30, 60])('is held to its window of %s s at whatever limit', (windowSeconds) => {
    for (const errors of ['none', 'success-false']) {
      for (const limit of [3, 4, 6, 10, 15, 20, 26, 29, 30, 40]) {
        const { opening, trace } = heldLonger({ windowSeconds, limit, errors }, 0, counting);
        const { clauses } = judgeTrace(trace);
        const ofLimit = clauses.filter(({ clause }) => /^(?:window\.|limits\.all$)/.test(clause));
        const kinds = ofLimit.map(({ verdict }) => verdict.kind);
        expect([limit, ...new Set(kinds)]).toEqual([limit, 'held']);
        const { requestsMax } = planRun({ ...opening, keys: 2, unannounced: false });
        expect(trace.exchanges.length).toBeLessThanOrEqual(requestsMax);
      }
    }
  });
});
