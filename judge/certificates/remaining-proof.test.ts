import { describe, expect, it, test } from 'vitest';
import { settledAfterMs, windowMsAtLeast } from '../../contract/bounds.ts';
import type { Part } from '../../contract/certificate.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { type Given, times } from '../testing/traces.ts';
import { remainingOn429Proof, remainingProof } from './remaining-proof.ts';
import { admittedAt, groundOf, limitedAt } from './testing/exact.ts';

const settledMs = settledAfterMs(60_000);

const left = (lowMs: number, remaining: string, given: Given = {}) =>
  admittedAt(lowMs, lowMs + 1, { remaining, ...given });

const proofOf = (reason: string, exchanges: readonly Exchange[], shown: readonly Exchange[] = []) =>
  remainingProof(
    groundOf(exchanges),
    reason,
    shown.map(({ requestId }) => requestId),
  );

const rulesOf = (parts: readonly Part[] | null) => parts?.map(({ rule, reading }) => [rule, reading]) ?? null;

describe('a value that fits no count', () => {
  it('is that of the answer that is shown, or of another where that one fits', () => {
    const [first, second, well] = [left(0, '3'), left(10, '3'), left(20, '0')];
    const named = (shown: readonly Exchange[]) =>
      proofOf('too-high', [first, second, well], shown)?.map(({ requestIds: [id] }) => id);
    expect(named([])).toEqual([first.requestId, first.requestId]);
    expect(named([second])).toEqual([second.requestId, second.requestId]);
    expect(named([well])).toEqual([first.requestId, first.requestId]);
  });

  it('is of the kind that is claimed, where there are both', () => {
    const both = [left(0, '2'), left(200_000, '0'), left(400_000, '3')];
    expect(rulesOf(proofOf('too-low', both))).toEqual([
      ['below-count', 'not-counted'],
      ['below-count', 'counted'],
    ]);
    expect(rulesOf(proofOf('too-high', both))).toEqual([
      ['above-count', 'not-counted'],
      ['above-count', 'counted'],
    ]);
  });

  it.each<[string, Given, boolean]>([
    ['a 200', {}, true],
    ['a 499', { status: 499, outcome: 'refused' }, true],
    ['a 500', { status: 500, outcome: 'refused' }, false],
    ['no answer', { status: null, outcome: 'indeterminate' }, false],
    ['a 200 without one', { remaining: null }, false],
    ['no answer, and without one', { status: null, outcome: 'indeterminate', remaining: null }, false],
  ])('is of an answer that a service gives by itself: %s', (_what, given, isProof) => {
    expect(proofOf('too-low', [left(0, '2'), left(200_000, '0', given)]) !== null).toBe(isProof);
  });
});

describe('at a scope that may have a cap per second', () => {
  const standard: Given = { scope: 'standard' };
  const over = times(5, () => left(0, '0', standard));

  it('the cap is ruled out where a refutation rests on refusals', () => {
    const proof = proofOf('too-high', [
      left(0, '2', standard),
      ...times(2, () => limitedAt(5_000, 5_001, standard)),
      left(6_000, '1', standard),
      limitedAt(200_000, 200_001, standard),
    ]);
    expect(rulesOf(proof)).toEqual([
      ['refused-with-room', 'not-counted'],
      ['above-count', 'counted'],
      ['clear', null],
    ]);
  });

  it('the cap is ruled out where a value is too low under but one reading', () => {
    const proof = proofOf('too-low', [
      ...over,
      limitedAt(199_000, 199_001, standard),
      left(200_000, '1', standard),
    ]);
    expect(rulesOf(proof)).toEqual([
      ['below-count', 'not-counted'],
      ['over-admission', 'counted'],
      ['no-cap', null],
    ]);
  });

  it('the cap is of no account where a value is too high, and nothing rests on refusals', () => {
    const proof = proofOf('too-high', [
      ...over,
      limitedAt(200_000, 200_001, standard),
      left(200_010, '2', standard),
    ]);
    expect(rulesOf(proof)).toEqual([
      ['over-admission', 'not-counted'],
      ['above-count', 'counted'],
    ]);
  });
});

describe('a 429 that leaves more than may have come free', () => {
  const refusal = (lowMs: number, remaining: string) => limitedAt(lowMs, lowMs + 5, { remaining });
  const proved = (...exchanges: readonly Exchange[]) =>
    remainingOn429Proof(groundOf(exchanges), [])?.map(({ rule }) => rule) ?? null;
  const byLeaving = ['above-leaving', 'above-leaving'];

  test('all counts that may leave while it is written, to the ends of their intervals', () => {
    const [first, last] = [admittedAt(0, 1), refusal(100_000, '1')];
    const toMs = 100_005 - windowMsAtLeast(60_000);
    expect(proved(first, admittedAt(toMs, toMs + 1), last)).toBeNull();
    expect(proved(first, admittedAt(toMs + 0.5, toMs + 1), last)).toEqual(byLeaving);
    const fromMs = 100_000 - settledMs;
    expect(proved(first, admittedAt(fromMs - 5, fromMs), last)).toBeNull();
    expect(proved(first, admittedAt(fromMs - 5, fromMs - 0.5), last)).toEqual(byLeaving);
  });

  test('what used the key before the run has left it once the run has settled', () => {
    const first = admittedAt(0, 1);
    expect(proved(first, refusal(settledMs, '2'))).toEqual(byLeaving);
    expect(proved(first, refusal(settledMs - 0.5, '2'))).toBeNull();
  });
});
