import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openWindow } from '../limiters/limiter.ts';
import { slidingLog } from '../limiters/sliding-log.ts';
import { createWindowTable } from './window-table.ts';

const open = () => openWindow(slidingLog({ limit: 2, windowMs: 1_000 }));

describe('window table', () => {
  it('forgets idle windows within a span and keeps those in use', () => {
    const table = createWindowTable(1_000);
    for (let key = 0; key < 500; key += 1) table.at(`idle ${key}`, 0, open).decide(0);
    expect(table.size).toBe(500);
    for (let nowMs = 100; nowMs <= 2_000; nowMs += 100) table.at('used', nowMs, open).decide(nowMs);
    expect(table.size).toBe(1);
    expect(table.at('used', 2_000, open).decide(2_000).remaining).toBe(0);
  });

  it('stays bounded when every request brings a new key', () => {
    const table = createWindowTable(1_000);
    for (let nowMs = 0; nowMs < 10_000; nowMs += 1) table.at(`key ${nowMs}`, nowMs, open).decide(nowMs);
    expect(table.size).toBeLessThanOrEqual(2_000);
  });

  it('looks at no more windows in one request than it can without a pause', () => {
    let looks = 0;
    const never = { decide: open().decide, idleFromMs: () => ++looks && Number.POSITIVE_INFINITY };
    const table = createWindowTable(1_000);
    for (let key = 0; key < 20_000; key += 1) table.at(`key ${key}`, 0, () => never);
    looks = 0;
    table.at('key 0', 60_000, open);
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThanOrEqual(4_096);
    expect(table.size).toBe(20_000);
  });

  it('looks at no more windows than are due, however many there are', () => {
    let looks = 0;
    const busy = { decide: open().decide, idleFromMs: () => ++looks && Number.POSITIVE_INFINITY };
    const table = createWindowTable(60_000);
    for (let key = 0; key < 20_000; key += 1) table.at(`key ${key}`, 0, () => busy);
    looks = 0;
    for (let request = 0; request < 1_000; request += 1) table.at(`key ${request}`, request / 100, open);
    // Twice all of them in a span, and 10 ms of it have passed.
    expect(looks).toBeLessThanOrEqual(10);
  });

  it('finds every window again while it is in use, however many there are', () => {
    const table = createWindowTable(1_000);
    const opened = new Map<string, unknown>();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999 }), (key) => {
        const name = `key ${key}`;
        const window = table.at(name, 0, open);
        window.decide(0);
        expect(opened.get(name) ?? window).toBe(window);
        opened.set(name, window);
      }),
      { numRuns: 9_000 },
    );
    expect(table.size).toBe(opened.size);
  });

  it('gives the same window of a key while it leaves one map for many', () => {
    const table = createWindowTable(1_000);
    const opened = Array.from({ length: 140_000 }, (_, key) => ({ name: `key ${key}`, window: open() }));
    const isSame = ({ name, window }: (typeof opened)[number]) => table.at(name, 0, () => window) === window;
    for (const [key, one] of opened.entries()) {
      const earlier = opened[(key * 7_919) % (key + 1)] ?? one;
      if (!isSame(one) || !isSame(earlier)) expect.fail(`${key} or ${earlier.name} has another window`);
    }
    expect(opened.filter((one) => !isSame(one))).toEqual([]);
    expect(table.size).toBe(opened.length);
  });

  it('counts on in a map that is left for a new one since many have come and gone', () => {
    const table = createWindowTable(1_000);
    let admitted = 0;
    for (let request = 0; request < 300_000; request += 1) {
      const nowMs = request / 10;
      table.at(`key ${request}`, nowMs, open).decide(nowMs);
      if (table.at('used', nowMs, open).decide(nowMs).admitted) admitted += 1;
    }
    // Two in each second.
    expect(admitted).toBe(60);
    expect(table.size).toBeLessThanOrEqual(20_000);
  });
});
