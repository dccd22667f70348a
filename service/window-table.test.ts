import { describe, expect, it } from 'vitest';
import { openWindow } from '../limiters/limiter.ts';
import { slidingLog } from '../limiters/sliding-log.ts';
import { createWindowTable } from './window-table.ts';

const open = () => openWindow(slidingLog({ limit: 2, windowMs: 1_000 }));

describe('window table', () => {
  it('forgets idle windows and keeps those in use', () => {
    const table = createWindowTable(1_000);
    for (let key = 0; key < 500; key += 1) table.at(`idle ${key}`, 0, open).decide(0);
    table.at('used', 900, open).decide(900);
    expect(table.size).toBe(501);
    const used = table.at('used', 1_000, open);
    expect(table.size).toBe(1);
    expect(used.decide(1_000).remaining).toBe(0);
  });

  it('stays bounded when every request brings a new key', () => {
    const table = createWindowTable(1_000);
    for (let nowMs = 0; nowMs < 10_000; nowMs += 1) table.at(`key ${nowMs}`, nowMs, open).decide(nowMs);
    expect(table.size).toBeLessThanOrEqual(2_000);
  });
});
