import { expect, test } from 'vitest';
import type { Behaviour } from '../../service/behaviour.ts';
import { offlineService } from '../../service/offline.ts';
import { reference } from './subjects.ts';
import { wholeRun } from './whole-run.ts';

/** In the window that begins with a key's first request only four fifths of the limit pass; Remaining counts down from all of it. */
function firstWindowShort(behaviour: Behaviour): Behaviour {
  const uses = new Map<string, { readonly beganMs: number; admitted: number }>();
  return {
    ...behaviour,
    decide: (request, asked) => {
      const { rate, nowMs } = asked;
      const windowKey = behaviour.windowKey(request);
      const use = uses.get(windowKey) ?? { beganMs: nowMs, admitted: 0 };
      uses.set(windowKey, use);
      const resetMs = use.beganMs + rate.windowMs;
      if (nowMs < resetMs && use.admitted >= Math.floor(rate.limit * 0.8)) {
        return { admitted: false, remaining: 0, resetMs, retryAfterMs: resetMs - nowMs };
      }
      const decision = behaviour.decide(request, asked);
      if (decision.admitted) use.admitted += 1;
      return decision;
    },
  };
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'a first window that is full at four fifths of the limit is found by what Remaining had said (seed %i)',
  (seed) => {
    const fault = {
      name: 'first-window-short',
      summary: 'the first window is short',
      patch: firstWindowShort,
    };
    const limits = { standard: 120, messages: 300, media: 30 };
    const service = offlineService({ limits, windowMs: 60_000, faults: [fault] });
    const { judgement } = wholeRun({ service, setting: reference.setting, seed });
    const violated = judgement.clauses.filter(({ verdict }) => verdict.kind === 'violated');
    expect(violated.map(({ clause }) => clause)).toEqual([
      'limits.standard',
      'limits.messages',
      'limits.media',
    ]);
  },
);
