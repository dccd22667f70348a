import { expect, test } from 'vitest';
import { examine, unproven } from './examine.ts';
import { limitersMax } from './identify/looked-at.ts';
import { judgeTrace } from './judge-trace.ts';
import { admitted, indeterminate, limited, times, traceOf } from './testing/traces.ts';

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

test('of hundreds of keys those limiters are identified and those pictures drawn that tell most, of each scope some', () => {
  const keys = limitersMax;
  const trace = traceOf(
    (['media', 'standard'] as const).flatMap((scope) =>
      Array.from({ length: keys }, (_, n) => [
        admitted(n, n + 5, { key: `K${n}`, scope }),
        limited(100 + n, 105 + n, { key: `K${n}`, scope }),
        ...(scope === 'media' ? [limited(200 + n, 205 + n, { key: `K${n}`, scope })] : []),
        // 31 of the limit of 30: more than may pass.
        ...(scope === 'media' && n === keys - 1
          ? times(30, (more) => admitted(300 + more, 305 + more, { key: `K${n}`, scope }))
          : []),
      ]).flat(),
    ),
  );
  const { identified, identifiedLeftOut, pictures } = examine(trace);
  expect(identified).toHaveLength(limitersMax);
  expect(identifiedLeftOut).toBe(keys);
  expect(new Set(identified.map(({ scope }) => scope))).toEqual(new Set(['media', 'standard']));
  // A violation is explained by the limiter of its own key.
  expect(identified).toContainEqual(expect.objectContaining({ scope: 'media', key: `K${keys - 1}` }));
  expect(pictures.timelines.map(({ key }) => key)).toContain(`K${keys - 1}`);
  expect(new Set(pictures.timelines.map(({ scope }) => scope))).toEqual(new Set(['media', 'standard']));
  expect(pictures.returns.length).toBeLessThanOrEqual(pictures.timelines.length);
});

/** One request too many in all, and both windows empty again once a connection broke. */
const restarted = [
  ...[0, 20_000].flatMap((fromMs) =>
    (['media', 'standard'] as const).flatMap((scope) =>
      times(scope === 'media' ? 16 : 5, (at) =>
        admitted(fromMs + 10 * at, fromMs + 10 * at + 5, {
          scope,
          remaining: `${(scope === 'media' ? 29 : 119) - at}`,
        }),
      ),
    ),
  ),
  indeterminate(10_000, { failure: 'connection reset (ECONNRESET)' }),
];

test('each violation is proved, and what most likely happened is said', () => {
  const trace = traceOf(restarted);
  const { judgement, proven, changes, failures } = examine(trace);
  const violated = judgement.clauses.filter(({ verdict }) => verdict.kind === 'violated');
  expect(violated.map(({ clause }) => clause)).toEqual(expect.arrayContaining(['limits.media']));
  expect(proven.map(({ clause }) => clause)).toEqual(violated.map(({ clause }) => clause));
  expect(changes).toEqual([expect.stringContaining('seems to have restarted')]);
  expect(failures).toEqual([]);
  expect(unproven(trace, judgement, proven.slice(1))).toEqual([
    `no certificate proves that ${proven[0]?.clause} is violated: this is a mistake of this tool`,
  ]);
});

test('where no certificate is ever written, none is missed', () => {
  const trace = traceOf(restarted);
  const { judgement } = examine(trace);
  const violated = judgement.clauses.filter(({ verdict }) => verdict.kind === 'violated').slice(0, 1);
  const clauses = violated.map((judged) => ({ ...judged, clause: 'refusal.body' }));
  expect(clauses).not.toEqual([]);
  expect(unproven(trace, { ...judgement, clauses }, [])).toEqual([]);
});

test('what cannot be worked out is said, and costs no verdict', () => {
  const trace = traceOf(restarted);
  const [first] = trace.exchanges;
  Object.defineProperty(first, 'server', {
    get: () => {
      throw new Error('no');
    },
  });
  const { judgement, changes, failures } = examine(trace);
  expect(judgement).toEqual(judgeTrace(trace));
  expect(changes).toEqual([]);
  expect(failures).toEqual([expect.stringMatching(/^what changed behind the address .* \(Error: no\): /)]);
});
