import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import { admitted, type Given, originMs, type Setting, traceOf } from '../testing/traces.ts';
import { resetProof } from './reset-proof.ts';

const originSeconds = originMs / 1_000;

/** A request at the origin, whose Reset lies so many seconds after it. */
const resetIn = (seconds: number, given: Given = {}): Exchange =>
  admitted(0, 5, { reset: String(originSeconds + seconds), ...given });

const never = () => false;

type Claimed = { readonly reason: string; readonly shown?: readonly Exchange[] } & Setting;

const proofOf = (exchanges: readonly Exchange[], { reason, shown = [], ...setting }: Claimed) =>
  resetProof(traceOf(exchanges, setting), never, { reason, shown: shown.map(({ requestId }) => requestId) });

describe('a Reset that no offset of a clock explains', () => {
  it.each([
    { reason: 'past', seconds: -7, own: 'left', offset: -5.999, other: 'right', skew: -5 },
    { reason: 'beyond-window', seconds: 68, own: 'right', offset: 5.97, other: 'left', skew: 5 },
  ] as const)('lies in the past, or beyond the window: $reason', (claimed) => {
    const { reason, seconds, own, offset, other, skew } = claimed;
    const misplaced = resetIn(seconds);
    const proof = proofOf([resetIn(30), misplaced], { reason });
    expect(proof).toMatchObject({
      rule: 'offset',
      reading: null,
      relation: '<',
      requestIds: [misplaced.requestId],
    });
    expect(proof?.[own]).toBeCloseTo(offset, 5);
    expect(proof?.[other]).toBe(skew);
  });

  it('is known by its size, where it is no moment in seconds', () => {
    const minute = { sentMs: originMs + 60_000, wallSentMs: originMs + 60_000 };
    const sized = (value: number) => [resetIn(0, { ...minute, reset: String(value) })];
    const sentSeconds = originSeconds + 60;
    expect(proofOf(sized(sentSeconds * 100 + 1), { reason: 'milliseconds' })).not.toBeNull();
    expect(proofOf(sized(sentSeconds * 100), { reason: 'milliseconds' })).toBeNull();
    expect(proofOf(sized(sentSeconds * 100), { reason: 'beyond-window' })).not.toBeNull();
    expect(proofOf(sized(sentSeconds / 100 - 1), { reason: 'delta' })).not.toBeNull();
    expect(proofOf(sized(sentSeconds / 100), { reason: 'delta' })).toBeNull();
    expect(proofOf(sized(sentSeconds / 100), { reason: 'past' })).not.toBeNull();
  });

  it('is proved for its own reason alone', () => {
    expect(proofOf([resetIn(-20)], { reason: 'beyond-window' })).toBeNull();
    expect(proofOf([resetIn(200)], { reason: 'past' })).toBeNull();
    expect(proofOf([resetIn(30)], { reason: 'past' })).toBeNull();
  });

  it('is proved by the answer that is shown, and by another where that one proves nothing', () => {
    const [first, second, well] = [resetIn(-20), resetIn(-30), resetIn(30)];
    const named = (shown: readonly Exchange[]) =>
      proofOf([first, second, well], { reason: 'past', shown })?.requestIds;
    expect(named([])).toEqual([first.requestId]);
    expect(named([second])).toEqual([second.requestId]);
    expect(named([well])).toEqual([first.requestId]);
  });

  it.each<[string, Given]>([
    ['to a request without a valid key', { credential: 'unknown', status: 401 }],
    ['of a server that failed', { status: 500 }],
    ['that never came', { status: null, wallReceivedMs: null, receivedMs: null }],
    ['without one', { reset: null }],
  ])('is not proved by an answer %s', (_what, given) => {
    expect(proofOf([resetIn(-20)], { reason: 'past' })).not.toBeNull();
    expect(proofOf([resetIn(-20, given)], { reason: 'past' })).toBeNull();
  });

  it('is not proved where a clock was stepped meanwhile', () => {
    const [before, after] = [
      resetIn(-20),
      resetIn(-20, { sentMs: originMs + 100, receivedMs: originMs + 105 }),
    ];
    const stepped = (_fromMs: number, toMs: number) => toMs < originMs + 50;
    const proof = resetProof(traceOf([before, after]), stepped, { reason: 'past', shown: [] });
    expect(proof?.requestIds).toEqual([after.requestId]);
  });

  it('is proved beyond the offset of the clock that timed it', () => {
    const clocks = [
      { id: 'simulation', kind: 'monotonic', offsetMsMax: 0 },
      { id: 'other', kind: 'monotonic', offsetMsMax: 2_000 },
    ] as const;
    const proof = (seconds: number) =>
      proofOf([resetIn(30), resetIn(seconds, { clock: 'other' })], { reason: 'past', clocks: [...clocks] });
    expect(proof(-7)).toBeNull();
    expect(proof(-9)?.right).toBe(-7);
  });

  it('is measured by the wall clock where the answer has one', () => {
    const late = originMs + 3_000;
    const value = (given: Given) => proofOf([resetIn(72, given)], { reason: 'beyond-window' })?.right;
    expect(value({ wallReceivedMs: late })).toBeCloseTo(6.975, 5);
    expect(value({ wallReceivedMs: null, receivedMs: originMs + 2_000 })).toBeCloseTo(7.975, 5);
    const past = (given: Given) => proofOf([resetIn(-20, given)], { reason: 'past' })?.left;
    expect(past({ wallSentMs: late })).toBeCloseTo(-21.999, 5);
    expect(past({ wallSentMs: null, sentMs: originMs + 1_000 })).toBeCloseTo(-19.999, 5);
  });

  it.each([
    ['past', -20, 'left'],
    ['beyond-window', 80, 'right'],
  ] as const)('is not proved where it is off by just what a clock may be: %s', (reason, seconds, side) => {
    const trace = [resetIn(seconds)];
    const offset = Math.abs(proofOf(trace, { reason })?.[side] ?? 0);
    const by = (clockSkewSecondsMax: number) =>
      proofOf(trace, { reason, deployment: { clockSkewSecondsMax } });
    expect(by(offset)).toBeNull();
    expect(by(offset - 0.001)).not.toBeNull();
  });
});
