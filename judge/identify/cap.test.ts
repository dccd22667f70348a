import { describe, expect, it } from 'vitest';
import { bucketsWithin, excusedByCap, mostIn, usualIn } from './cap.ts';
import { type ObservedRequest, observe } from './observations.ts';

const admitted = (sentMs: number, receivedMs = sentMs): ObservedRequest => ({
  sentMs,
  receivedMs,
  outcome: 'admitted',
});
const limited = (sentMs: number, receivedMs = sentMs): ObservedRequest => ({
  sentMs,
  receivedMs,
  outcome: 'limited',
});
const refused = (sentMs: number): ObservedRequest => ({ sentMs, receivedMs: sentMs, outcome: 'refused' });

describe('the most in a second', () => {
  // A request begins a millisecond before it was sent, and two more are left for the clock's rate.
  it.each([
    ['none of no admission', [limited(0), refused(1)], 0],
    ['those that surely lie in it', [admitted(0), admitted(500), admitted(996.9)], 3],
    ['not those that may lie just outside', [admitted(0), admitted(500), admitted(998)], 2],
    ['the most of all seconds', [admitted(0), admitted(3_000), admitted(3_010), admitted(9_000)], 2],
    ['a slow one where all of it lies in it', [admitted(0, 900), admitted(100, 800)], 2],
    [
      'not what was on its way when it ended',
      [admitted(0, 300), admitted(100, 1_800), admitted(200, 700)],
      2,
    ],
    ['not what was refused', [admitted(0), refused(1), limited(2), admitted(3)], 2],
  ])('is %s', (_, trace, most) => {
    expect(mostIn(observe(trace), 1_000)).toBe(most);
  });
});

describe('what passes in a second before a refusal', () => {
  const burst = (fromMs: number, count: number) => [
    ...Array.from({ length: count }, (_, at) => admitted(fromMs + at)),
    limited(fromMs + count),
  ];

  it.each([
    ['nothing where nothing was refused', [admitted(0)], 0],
    ['nothing where nothing passed', [limited(0)], 0],
    ['as much as most often', [...burst(0, 3), ...burst(2_000, 2), ...burst(4_000, 2)], 2],
    [
      'as much as did where something passed',
      [limited(0), limited(2_000), limited(4_000), ...burst(6_000, 2)],
      2,
    ],
    ['what surely came in the second before', [admitted(0), admitted(500), limited(997)], 2],
    ['not what may have come before it', [admitted(0), admitted(500), limited(999)], 1],
    ['what came in the second before', [admitted(0), admitted(500), ...burst(1_100, 2)], 3],
    ['not what was refused', [limited(0), ...burst(10, 2), limited(15), limited(16)], 2],
  ])('is %s', (_, trace, usual) => {
    expect(usualIn(observe(trace), 1_000)).toBe(usual);
  });
});

describe('a refusal under a cap of 2 a second', () => {
  const excused = (trace: readonly ObservedRequest[]) =>
    excusedByCap(observe(trace), { limit: 2, lengthMs: 1_000, kind: 'window' });

  it('is excused by admissions alone where these alone count', () => {
    const cap = { limit: 2, lengthMs: 1_000, kind: 'window', counts: 'admitted' } as const;
    const excuses = (trace: readonly ObservedRequest[]) =>
      excusedByCap(observe([...trace, limited(500)]), cap).at(-1);
    expect(excuses([admitted(0), admitted(10)])).toBe(true);
    expect(excuses([admitted(0), refused(10)])).toBe(true);
    expect(excuses([admitted(0), limited(10)])).toBe(false);
  });

  it.each([
    ['is excused by 2 in the second before', [admitted(0), admitted(10), limited(500)], [false, false, true]],
    ['is not excused by one', [admitted(0), limited(500)], [false, false]],
    [
      'may be excused by others that were refused',
      [admitted(0), limited(10), limited(20)],
      [false, false, true],
    ],
    ['may be excused by what was neither', [admitted(0), refused(10), limited(20)], [false, false, true]],
    [
      'is excused by what may lie in that second',
      [admitted(0), admitted(10), limited(1_003)],
      [false, false, true],
    ],
    [
      'is not excused by what came before it',
      [admitted(0), admitted(10), limited(1_003.5)],
      [false, false, false],
    ],
    [
      'is excused by what was sent before its answer',
      [limited(0, 50), admitted(20), admitted(40)],
      [true, false, false],
    ],
  ])('%s', (_, trace, expected) => {
    expect(excused(trace)).toEqual(expected);
  });
});

describe('a bucket of tokens that drip in within a second', () => {
  const excused = (limit: number, trace: readonly ObservedRequest[]) =>
    excusedByCap(observe(trace), { limit, lengthMs: 1_000, kind: 'bucket' });

  it('excuses a refusal where it may be empty', () => {
    const two = [admitted(0), admitted(0)];
    // Half a second after it was emptied it holds one again.
    expect(excused(2, [...two, limited(400)])).toEqual([false, false, true]);
    expect(excused(2, [...two, limited(501)])).toEqual([false, false, true]);
    expect(excused(2, [...two, limited(502)])).toEqual([false, false, false]);
    expect(excused(2, [admitted(0), limited(10)])).toEqual([false, false]);
  });

  it('excuses each of a row, not only those that decide', () => {
    const row = Array.from({ length: 6 }, (_, n) => limited(10 + n));
    expect(excused(2, [admitted(0), admitted(0), ...row]).slice(2)).toEqual(row.map(() => true));
  });

  it('may be of so many as explain the first refusal, and all that was admitted; the roundest first', () => {
    const sizes = (trace: readonly ObservedRequest[], burst: number) =>
      bucketsWithin(observe(trace), burst, 1_000).map(({ limit, kind, lengthMs }) => [limit, kind, lengthMs]);
    const burst = (count: number, stepMs: number) =>
      Array.from({ length: count }, (_, n) => admitted(n * stepMs));
    expect(sizes([...burst(12, 0), limited(5)], 12)).toEqual([[12, 'bucket', 1_000]]);
    // Of twelve in 120 ms one had dripped in, of twelve in 240 ms two.
    expect(sizes([...burst(12, 10), limited(121)], 12)).toEqual([[11, 'bucket', 1_000]]);
    expect(sizes([...burst(12, 20), limited(241)], 12)).toEqual([[10, 'bucket', 1_000]]);
    const slow = Array.from({ length: 12 }, (_, n) => admitted(n * 12, n * 12 + 100));
    expect(sizes([...slow, limited(140, 150)], 12)).toEqual([
      [10, 'bucket', 1_000],
      [12, 'bucket', 1_000],
    ]);
    expect(sizes([...burst(12, 10)], 12)).toEqual([]);
    expect(sizes([admitted(0), limited(5)], 1)).toEqual([]);
    expect(sizes([...burst(12, 10), limited(900)], 12)).toEqual([]);
    // A later refusal makes up for nothing.
    const later = burst(12, 0).map(() => admitted(5_000));
    expect(sizes([...burst(12, 10), limited(900), ...later, limited(5_005)], 12)).toEqual([]);
  });

  it('is no smaller than six tenths of what passed', () => {
    const sizes = (held: number, dripped: number, everyMs: number) => {
      const first = Array.from({ length: held }, () => admitted(0));
      const others = Array.from({ length: dripped }, (_, n) => admitted((n + 1) * everyMs));
      const trace = [...first, ...others, limited(dripped * everyMs + 10)];
      return bucketsWithin(observe(trace), held + dripped, 1_000).map(({ limit }) => limit);
    };
    expect(sizes(12, 8, 84)).toEqual([12]);
    // A little faster than 12 a second: our clock may be slower.
    expect(sizes(12, 8, 83.2)).toEqual([12]);
    expect(sizes(12, 8, 83)).toEqual([]);
    expect(sizes(10, 9, 100)).toEqual([]);
    expect(sizes(2, 1, 498)).toEqual([2]);
    expect(sizes(2, 1, 497)).toEqual([]);
  });
});

it('excuses a refusal under a limit with the wall clock where the window in progress may have been full', () => {
  const cap = { limit: 2, lengthMs: 1_000, kind: 'grid' } as const;
  const beganMs = 1_760_000_000_000;
  const excused = (trace: readonly ObservedRequest[]) =>
    excusedByCap(
      observe(
        trace.map((one) => ({
          ...one,
          sentMs: beganMs + one.sentMs,
          receivedMs: beganMs + (one.receivedMs ?? 0),
        })),
      ),
      cap,
    ).at(-1);
  expect(excused([admitted(300), admitted(400), limited(950)])).toBe(true);
  expect(excused([admitted(300), limited(950)])).toBe(false);
  expect(excused([admitted(300), admitted(400), limited(1_100)])).toBe(false);
  // The clocks may stand a little apart.
  expect(excused([admitted(300), admitted(400), limited(1_020)])).toBe(true);
  expect(excused([admitted(980), admitted(990), limited(1_950)])).toBe(true);
  expect(excused([admitted(970), admitted(990), limited(1_950)])).toBe(false);
  expect(excused([admitted(300), admitted(400), admitted(950)])).toBe(false);
});
