import { expect, test } from 'vitest';
import type { LoadLine } from '../contract/trace-lines.ts';
import { judgeTrace } from './judge-trace.ts';
import { admitted, limited, times, traceOf, traceOfDocument } from './testing/traces.ts';

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

test('a flood of refusals whose waits were in vain is judged', () => {
  // Each was told to wait 5 s, and is followed by hundreds that came sooner.
  const flood = times(6_000, (n) => limited(100 + n * 10, 105 + n * 10));
  const { clauses } = judgeTrace(traceOf([...times(30, (n) => admitted(n, n + 1)), ...flood]));
  const found = clauses.find(({ clause }) => clause === 'error.retry-after-suffices');
  expect(found?.verdict.kind).toBe('inconclusive');
});

test('a long burst of a load is judged', () => {
  const own = { driver: 'k6', scenario: 'burst' } as const;
  const line: LoadLine = {
    ...{ kind: 'load', scenario: 'burst', state: 'complete', reason: null, key: 'A', scope: 'media' },
    requestsSent: many,
  };
  const trace = traceOfDocument(
    times(many, () => admitted(0, 10, own)),
    { headers: 'none', errors: 'none', scopes: { media: { title: 'media', limit: many } } },
    { mode: 'load', limits: { media: many } },
  );
  const { clauses } = judgeTrace({ ...trace, loads: [line] });
  const found = clauses.find(({ clause }) => clause === 'load.burst');
  expect(found?.verdict.kind).toBe('inconclusive');
});
