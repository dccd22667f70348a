import { describe, expect, test } from 'vitest';
import type { ClauseId } from '../contract/clauses/registry.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Trace } from '../contract/trace.ts';
import { admitted, limited, times, traceOf } from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

const why = 'the run died';

function verdictOf(clause: ClauseId, exchanges: readonly Exchange[], keys: readonly string[] = ['A', 'B']) {
  const trace: Trace = { ...traceOf(exchanges, { keys: [...keys] }), unknownRequests: why };
  return verdictOn(clause, trace);
}

const full = [...times(30, () => admitted(0, 5)), limited(100, 105)];

describe('where requests may be unknown', () => {
  test.each<readonly [ClauseId, readonly Exchange[]]>([
    ['window.rolling', [...full, limited(61_200, 61_205)]],
    ['limits.media', [admitted(0, 5), limited(61_200, 61_205)]],
    ['error.retry-after-suffices', [...full, limited(5_200, 5_210)]],
  ])('%s calls no 429 wrong', (clause, exchanges) => {
    expect(verdictOf(clause, exchanges)).toEqual({ kind: 'inconclusive', reason: why, because: [] });
  });

  test('Remaining may be lower than what is known makes it', () => {
    const low = [admitted(0, 5), admitted(61_200, 61_205, { remaining: '7' })];
    expect(verdictOf('headers.remaining', low)?.kind).not.toBe('violated');
  });

  test('what is known is still too many', () => {
    const tooMany = [...times(31, () => admitted(0, 5)), limited(100, 105)];
    expect(verdictOf('limits.media', tooMany)).toMatchObject({ kind: 'violated', reason: 'over-admission' });
    expect(verdictOf('window.rolling', tooMany)).toMatchObject({ because: ['limits.media'] });
    expect(verdictOf('headers.remaining', [admitted(0, 5, { remaining: '30' })])).toMatchObject({
      kind: 'violated',
      reason: 'too-high',
    });
  });

  test('a clause that lacks something else says that', () => {
    expect(verdictOf('limits.per-key', full, ['A'])).toMatchObject({
      reason: 'not run: needs a second key (--key-env A,B)',
    });
  });
});
