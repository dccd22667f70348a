import { describe, expect, test } from 'vitest';
import type { ClauseId } from '../contract/clauses/registry.ts';
import type { Exchange } from '../contract/exchange.ts';
import { judgeTrace } from './judge-trace.ts';
import { admitted, limited, type Setting, times, traceOf } from './testing/traces.ts';

function verdictOf(clause: ClauseId, exchanges: readonly Exchange[], setting: Setting = {}) {
  return judgeTrace(traceOf(exchanges, setting)).clauses.find((one) => one.clause === clause)?.verdict;
}

const filled = times(30, () => admitted(0, 5));
const refilled = [...times(30, () => admitted(61_500, 61_505)), limited(61_600, 61_605)];
const counting = ['limits.media', 'window.rolling', 'window.length', 'window.granularity'] as const;

describe('held is a claim too', () => {
  test('a window that is known from 59.9 to 61.5 s is a minute', () => {
    const trace = [...filled, limited(100, 105), limited(59_900, 59_905), ...refilled];
    expect(counting.map((clause) => verdictOf(clause, trace)?.kind)).toEqual([
      'held',
      'held',
      'held',
      'held',
    ]);
  });

  test('a limit is held for as long as it was watched, and says how long', () => {
    const trace = [...filled, limited(100, 105), limited(59_900, 59_905), ...refilled];
    expect(verdictOf('limits.media', trace)).toMatchObject({
      kind: 'held',
      summary: expect.stringContaining('watched for 62 s, not beyond'),
    });
  });

  test('a window that may as well last 45 s holds nothing', () => {
    const trace = [...filled, limited(100, 105), limited(19_000, 19_005), ...refilled];
    for (const clause of counting) {
      expect(verdictOf(clause, trace), clause).toMatchObject({
        kind: 'inconclusive',
        because: [],
        reason: expect.stringMatching(/media .* from 18\.98. s to 61\.53. s/),
      });
    }
  });

  test('where others may use the key, that is why nothing holds, not the length of the run', () => {
    const trace = [...filled, limited(100, 105), limited(59_900, 59_905), ...refilled];
    for (const clause of counting) {
      expect(verdictOf(clause, trace, { deployment: { exclusiveKeys: false } }), clause).toMatchObject({
        kind: 'inconclusive',
        reason: expect.stringContaining('exclusiveKeys: false'),
      });
    }
  });
});

test('whether rejections count is not said to fit both where a violation keeps it from being judged', () => {
  const trace = [...times(31, () => admitted(0, 5)), limited(100, 105)];
  expect(verdictOf('limits.rejections-count', trace)).toMatchObject({
    kind: 'inconclusive',
    because: ['limits.media'],
  });
});
