import { expect, it } from 'vitest';
import { judgeTrace } from './judge-trace.ts';
import { admitted, times, traceOf } from './testing/traces.ts';

const without = { limit: null, remaining: null, reset: null };

it.each(['headers.limit', 'headers.remaining', 'headers.reset'] as const)(
  '%s is not judged where no answer carries it: that it is absent is another clause’s',
  (clause) => {
    const { clauses } = judgeTrace(traceOf(times(3, (at) => admitted(at, at + 5, without))));
    expect(clauses.find((one) => one.clause === clause)?.verdict).toEqual({
      kind: 'inconclusive',
      reason: 'not judged: headers.present is violated',
      because: ['headers.present'],
    });
  },
);
