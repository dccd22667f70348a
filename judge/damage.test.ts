import { describe, expect, test } from 'vitest';
import type { ClauseId } from '../contract/clauses/registry.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { LoadLine } from '../contract/trace-lines.ts';
import { judgeTrace } from './judge-trace.ts';
import { admitted, limited, times, traceOf, traceOfDocument } from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

const limits = { standard: 4, messages: 4, media: 4 };

function damageOf(clause: ClauseId, exchanges: readonly Exchange[], loads: readonly LoadLine[] = []) {
  const { clauses } = judgeTrace({ ...traceOf(exchanges, { limits }), loads });
  const verdict = clauses.find((one) => one.clause === clause)?.verdict;
  if (verdict?.kind !== 'violated') throw new Error(`${clause} is ${verdict?.kind}`);
  return verdict.evidence.damage;
}

describe('beside the smallest proof stands the worst', () => {
  test('of what was admitted in one window, by the key that the proof is about', () => {
    const many = times(7, (at) => admitted(at * 10, at * 10 + 5, { key: 'B' }));
    const later = times(5, () => admitted(130_000, 130_005, { key: 'B' }));
    const conforming = times(4, () => admitted(0, 5));
    expect(damageOf('limits.media', [...conforming, ...many, ...later])).toEqual({
      kind: 'admitted',
      most: 7,
      withinMs: 65,
      limit: 4,
    });
  });

  test('of what was refused with room for it: how often, and how little was there', () => {
    const alone = [
      admitted(0, 5),
      limited(40_000, 40_005),
      ...[62_000, 62_100, 62_200].map((at) => limited(at, at + 5)),
    ];
    // The 429 of the first minute may be the doing of others; it counts as one that was there before.
    expect(damageOf('limits.media', alone)).toEqual({
      kind: 'refused',
      refusals: 3,
      fewestBefore: 1,
      limit: 4,
    });
  });

  test('of what was refused, counting what a place in whole seconds may still hold, and only with room for it', () => {
    const late = [admitted(0, 5), admitted(1_500, 1_505), limited(62_000, 62_005)];
    expect(damageOf('limits.media', late)).toMatchObject({ refusals: 1, fewestBefore: 1 });
    const full = [...times(3, () => admitted(63_000, 63_005)), limited(63_100, 63_105)];
    expect(damageOf('limits.media', [...late, ...full])).toMatchObject({ refusals: 1, fewestBefore: 1 });
  });

  test('where rejections may have filled the window, without them', () => {
    const flooded = [
      admitted(0, 5),
      admitted(62_000, 62_005),
      ...times(5, () => limited(62_100, 62_105)),
      admitted(62_200, 62_205),
    ];
    expect(damageOf('limits.media', flooded)).toEqual({
      kind: 'refused',
      refusals: 5,
      fewestBefore: 1,
      limit: 4,
    });
  });

  test('of a load scenario that is judged by itself, in what it sent', () => {
    const line: LoadLine = {
      kind: 'load',
      scenario: 'media-burst',
      state: 'complete',
      reason: null,
      key: 'A',
      scope: 'media',
      requestsSent: null,
    };
    const before = times(4, () => admitted(-100, -95));
    const burst = times(5, () => admitted(0, 5, { scenario: 'media-burst', driver: 'k6' }));
    expect(damageOf('load.media-burst', [...before, ...burst], [line])).toEqual({
      kind: 'admitted',
      most: 5,
      withinMs: 5,
      limit: 4,
    });
    expect(damageOf('limits.media', [...before, ...burst], [line])).toMatchObject({ most: 9, withinMs: 105 });
  });
});

test.each([
  ['rolling', true],
  ['at-most', true],
  ['fixed', false],
] as const)('what a window of the kind %s admitted is counted in rolling ones: %s', (promise, isCounted) => {
  const scopes = { media: { title: 'media', limit: 4, promise } };
  // More than any two windows hold one behind the other.
  const exchanges = times(12, (at) => admitted(at * 10, at * 10 + 5));
  const verdict = verdictOn('limits.media', traceOfDocument(exchanges, { scopes }));
  expect(verdict).toMatchObject({ kind: 'violated' });
  const damage = verdict?.kind === 'violated' ? verdict.evidence.damage : null;
  expect(damage !== undefined).toBe(isCounted);
});

test('what a window that guarantees so many refused is counted too', () => {
  const scopes = { media: { title: 'media', limit: 4, promise: 'at-least' } };
  const exchanges = [admitted(0, 5), ...[62_000, 62_100].map((at) => limited(at, at + 5))];
  const verdict = verdictOn('limits.media', traceOfDocument(exchanges, { scopes }));
  expect(verdict).toMatchObject({ kind: 'violated', evidence: { damage: { kind: 'refused', limit: 4 } } });
});

test('what is no matter of the count has none', () => {
  expect(damageOf('headers.limit', [admitted(0, 5, { limit: '5' })])).toBeUndefined();
});
