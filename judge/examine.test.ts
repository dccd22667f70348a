import { expect, test } from 'vitest';
import { examine } from './examine.ts';
import { judgeTrace } from './judge-trace.ts';
import { admitted, limited, times, traceOf } from './testing/traces.ts';

test('verdicts, limiters and pictures come from one trace', () => {
  const trace = traceOf([
    ...times(30, (n) => admitted(n, n + 5)),
    ...times(3, (n) => limited(100 + n, 105 + n)),
    admitted(61_000, 61_005),
    admitted(0, 5, { key: 'B' }),
  ]);
  const { judgement, identified, pictures, failures } = examine(trace);
  expect(failures).toEqual([]);
  expect(judgement).toEqual(judgeTrace(trace));
  expect(pictures.timelines.map(({ key }) => key)).toEqual(['A', 'B']);
  // B was never refused: nothing can be said about its limiter, and nothing came back to it.
  expect(identified).toMatchObject([{ key: 'A', scope: 'media', limit: 30 }]);
  expect(pictures.returns).toMatchObject([{ key: 'A', scope: 'media', limit: 30 }]);
});
