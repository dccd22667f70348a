import { expect, test } from 'vitest';
import { judgeTrace } from './judge-trace.ts';
import { admitted, times, traceOf } from './testing/traces.ts';

/** More than a call takes arguments. */
const many = 130_000;

test('a long trace with a step of the wall clock is judged', () => {
  const exchanges = times(many, (n) => {
    const stepped = n < many / 2 ? {} : { wallSentMs: 0, wallReceivedMs: 0 };
    return admitted(n * 3_000, n * 3_000 + 1, stepped);
  });
  const { clauses } = judgeTrace(traceOf(exchanges));
  expect(clauses.filter(({ verdict }) => verdict.kind === 'crashed')).toEqual([]);
});
