import { describe, expect, it } from 'vitest';
import { windowMsAtLeast } from '../../contract/bounds.ts';
import type { Arrival, ClientTrace } from '../../contract/clients/trace.ts';
import { requestsOf } from './requests.ts';
import { admitted, limited, traceOf, waiting } from './testing/arrivals.ts';

const whole = (trace: ClientTrace) => requestsOf(trace).map(({ isOne }) => isOne);

const byContent = (arrival: Arrival, method = 'POST'): Arrival => ({
  ...arrival,
  method,
  identity: { by: 'content', digest: arrival.identity.digest },
});

describe('one request', () => {
  it('is what has the same key, scope and identity', () => {
    const trace = traceOf([
      limited('one', 0),
      admitted('one', 1_000),
      admitted('two', 1_001),
      admitted('one', 1_002, { key: 'B' }),
      admitted('one', 1_003, { scope: 'media' }),
      byContent(admitted('one', 1_004)),
    ]);
    expect(requestsOf(trace).map(({ arrivals }) => arrivals.map(({ arrivedMs }) => arrivedMs))).toEqual([
      [0, 1_000],
      [1_001],
      [1_002],
      [1_003],
      [1_004],
    ]);
    expect(requestsOf(trace).map(({ key, admitted: count }) => [key, count])).toEqual([
      ['A', 1],
      ['A', 1],
      ['B', 1],
      ['A', 1],
      ['A', 1],
    ]);
  });

  it.each([
    [200, 1],
    [299, 1],
    [199, 0],
    [300, 0],
    [null, 0],
  ])('is admitted by a status of %s: %i', (status, count) => {
    expect(requestsOf(traceOf([admitted('one', 0, { status })]))[0]?.admitted).toBe(count);
  });
});

describe('a request that has only its content', () => {
  const two = [
    byContent(limited('one', 0)),
    byContent(admitted('one', 1_000)),
    byContent(admitted('two', 5)),
  ];

  it('is known where each is different from the others', () => {
    expect(whole(traceOf(two))).toEqual([true, true]);
  });

  it('is not known where it is the only one, unless only one was announced', () => {
    const one = two.slice(0, 2);
    expect(whole(traceOf(one))).toEqual([false]);
    expect(whole(traceOf(one, { requestsExpected: { A: 1 } }))).toEqual([true]);
  });

  it('is not known where fewer came than were announced: some are alike', () => {
    expect(whole(traceOf(two, { requestsExpected: { A: 3 } }))).toEqual([false, false]);
    expect(whole(traceOf(two, { requestsExpected: { A: 2, B: 3 } }))).toEqual([true, true]);
  });

  it('is not known where one of them was admitted twice', () => {
    expect(whole(traceOf([...two, byContent(admitted('two', 900))]))).toEqual([false, false]);
  });

  it.each(['GET', 'HEAD'])('is not known where it has none, as a %s', (method) => {
    expect(whole(traceOf(two.map((one) => byContent(one, method))))).toEqual([false, false]);
  });

  it('is not counted with those of other keys, nor with those that have an Idempotency-Key', () => {
    const others = [byContent(admitted('three', 7, { key: 'B' })), admitted('four', 8)];
    const alone = two.slice(0, 2);
    expect(whole(traceOf([...alone, ...others]))).toEqual([false, false, true]);
    const twice = [admitted('four', 9), byContent(admitted('three', 10, { key: 'B' }))];
    expect(whole(traceOf([...two, ...others, ...twice]))).toEqual([true, true, false, true]);
  });
});

describe('a request that was sent again before its answer', () => {
  const isDoubled = (answeredMs: number | null): boolean | undefined =>
    requestsOf(traceOf([limited('one', 0, { answeredMs }), admitted('one', 1_000)]))[0]?.isDoubled;

  it('is doubled', () => {
    expect(isDoubled(1_000.5)).toBe(true);
    expect(isDoubled(1_000)).toBe(false);
    expect(isDoubled(null)).toBe(false);
  });

  it('has no wait, since no arrival is known to follow from a 429', () => {
    const beside = [limited('one', 0, { answeredMs: 5 }), limited('one', 3), admitted('one', 2_000)];
    expect(requestsOf(traceOf(beside))[0]?.waits).toEqual([]);
  });
});

describe('waits', () => {
  const waitsOf = (arrivals: readonly Arrival[]) =>
    requestsOf(traceOf(arrivals))[0]?.waits.map(({ waitedMs, toldMs }) => [waitedMs, toldMs]);

  it('run from each 429 to the next attempt', () => {
    expect(waitsOf(waiting('one', [1_500, 2_500]))).toEqual([
      [1_500, windowMsAtLeast(1_000)],
      [2_500, windowMsAtLeast(1_000)],
    ]);
  });

  it('begin when the 429 was sent, not when its request had come', () => {
    expect(waitsOf([limited('one', 0, { answeredMs: 400 }), admitted('one', 1_500)])?.[0]?.[0]).toBe(1_100);
  });

  it('are none after an answer that is no 429, after none at all, and after the last attempt', () => {
    expect(waitsOf([limited('one', 0, { status: 503 }), admitted('one', 1_500)])).toEqual([]);
    expect(waitsOf([limited('one', 0, { answeredMs: null }), admitted('one', 1_500)])).toEqual([]);
    expect(waitsOf([limited('one', 0)])).toEqual([]);
  });

  it('have nothing to be measured by where the 429 says no time', () => {
    const silent = { retryAfterSeconds: null };
    expect(waitsOf(waiting('one', [1_500], () => silent))).toEqual([[1_500, null]]);
  });

  it('are none of a request that may be several', () => {
    expect(waitsOf(waiting('one', [1_500]).map((one) => byContent(one)))).toEqual([]);
  });
});
