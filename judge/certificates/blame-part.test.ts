import { describe, expect, it, test } from 'vitest';
import { settledAfterMs, windowMsAtLeast } from '../../contract/bounds.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { explainedLengths } from '../lengths.ts';
import { times } from '../testing/traces.ts';
import { blamePartsOf } from './blame-part.ts';
import { admittedAt, groundOf, limitedAt } from './testing/exact.ts';

const windowMs = 60_000;
const shortestMs = windowMsAtLeast(windowMs);

const partsOf = (reason: string, exchanges: readonly Exchange[]) => blamePartsOf(groundOf(exchanges), reason);

describe('a window that was full before the first 429', () => {
  it('holds what was sent when its answer came, and nothing later', () => {
    const full = (lastMs: number) => [
      admittedAt(0, 1),
      admittedAt(0, 1),
      limitedAt(5, 10),
      admittedAt(lastMs, lastMs + 5),
    ];
    expect(partsOf('late-return', full(10))?.[0]).toMatchObject({ left: 3, right: 3 });
    expect(partsOf('late-return', full(10.5))).toBeNull();
  });
});

describe('a window that was kept', () => {
  const spread = (lastMs: number, route: 'main' | 'subpath' = 'main') =>
    [0, 10, 20, lastMs].map((ms) => admittedAt(ms, ms, { route }));

  it('was kept until just its shortest length before the first 429', () => {
    const refusal = limitedAt(70_000, 70_005);
    expect(partsOf('early-return', [...spread(shortestMs), refusal])?.[0]).toMatchObject({
      left: shortestMs,
      right: shortestMs,
    });
    expect(partsOf('early-return', [...spread(shortestMs - 0.5), refusal])).toBeNull();
    // What was sent as the 429 came may have come before it.
    expect(partsOf('early-return', [...spread(75), limitedAt(70, 75)])).toBeNull();
    expect(partsOf('early-return', [...spread(75.5), limitedAt(70, 75)])?.[0]?.right).toBeNull();
  });

  it('was kept by each of the paths by itself', () => {
    const refusal = limitedAt(70_000, 70_005);
    const apart = (main: number, subpath: number) =>
      partsOf('counted-apart', [...spread(main), ...spread(subpath, 'subpath'), refusal]);
    expect(apart(shortestMs, shortestMs)?.[0]).toMatchObject({ rule: 'held-paths', right: shortestMs });
    expect(apart(shortestMs - 0.5, shortestMs)).toBeNull();
    expect(apart(shortestMs, 1_000)).toBeNull();
  });

  it('was kept by each of the nodes by itself', () => {
    const nodes = (second: number) => [
      ...times(3, () => admittedAt(0, 1)),
      ...times(second, () => admittedAt(0, 1, { node: 1 })),
    ];
    expect(partsOf('counted-per-node', nodes(2))?.[0]).toMatchObject({ left: 3, right: 3 });
    expect(partsOf('counted-per-node', nodes(4))).toBeNull();
  });
});

test('a window is too long only where it is longer than documented', () => {
  const ground = groundOf([...times(3, () => admittedAt(0, 0)), limitedAt(70_000, 70_001)]);
  const { group } = ground;
  const { lowMs } = explainedLengths({
    limit: 3,
    entries: group.explaining,
    reading: 'not-counted',
    refusals: group.limited,
  });
  const tooLong = (documentedMs: number) =>
    blamePartsOf({ ...ground, group: { ...group, windowMs: documentedMs } }, 'too-long');
  expect(tooLong(60_000)?.[0]).toMatchObject({ rule: 'length', reading: 'not-counted', left: lowMs });
  expect(tooLong(lowMs)).toBeNull();
  expect(tooLong(80_000)).toBeNull();
});

describe('one window for all keys', () => {
  const late = 61_050;
  const refusal = limitedAt(61_100, 61_105);
  const other = { key: 'B' } as const;
  const together = (...exchanges: readonly Exchange[]) => partsOf('one-window-for-keys', exchanges)?.[0];

  it('explains a refusal by the requests of the others', () => {
    const first = admittedAt(0, 1);
    const others = (count: number) => times(count, () => admittedAt(late, late + 1, other));
    expect(together(first, ...others(3), refusal)).toMatchObject({ rule: 'together', left: 3, right: 3 });
    expect(together(first, ...others(2), refusal)).toBeUndefined();
    expect(together(first, refusal)).toBeUndefined();
  });

  it('explains it by requests without a valid key too, of whatever kind', () => {
    const [first, beside] = [admittedAt(0, 1), admittedAt(10, 11, other)];
    const keyless = (
      [
        { key: null, credential: 'absent' },
        { key: 'A', credential: 'unknown' },
        { key: null, credential: 'valid' },
      ] as const
    ).map((given) => admittedAt(late, late + 1, { ...given, status: 401, outcome: 'refused' }));
    expect(together(first, beside, ...keyless, refusal)?.right).toBe(3);
    expect(together(first, beside, ...keyless.slice(1), refusal)).toBeUndefined();
    const elsewhere = keyless.map((one): Exchange => ({ ...one, scope: 'messages' }));
    expect(together(first, beside, ...elsewhere, refusal)).toBeUndefined();
  });

  it('has to explain each refusal from the moment on at which the run has settled', () => {
    const settledMs = settledAfterMs(windowMs);
    const others = times(3, () => admittedAt(settledMs - 10, settledMs - 9, other));
    const first = admittedAt(0, 0.25);
    expect(together(first, ...others, limitedAt(settledMs, settledMs + 5))?.right).toBe(4);
  });

  it('is no explanation where it would have been full before an admission', () => {
    const others = (ms: number) => times(3, () => admittedAt(ms, ms, other));
    const admittedFrom = (lowMs: number, highMs: number) =>
      together(admittedAt(lowMs, highMs), ...others(0), ...others(late), refusal);
    expect(admittedFrom(0.25, 1)).toBeUndefined();
    expect(admittedFrom(0.25, shortestMs - 0.5)).toBeUndefined();
    // Beside it, or just a window before it.
    expect(admittedFrom(0, 1)?.right).toBe(3);
    expect(admittedFrom(0.25, shortestMs)?.right).toBe(4);
  });
});
