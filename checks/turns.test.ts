import { describe, expect, it } from 'vitest';
import { settledAfterMs } from '../contract/bounds.ts';
import type { TargetPart } from './steps.ts';
import { lastEndMs, turnsIn } from './turns.ts';

function part(limit: number, windowMs = 60_000): TargetPart {
  return { name: 'first', limit, windowMs, promise: 'rolling' };
}

const innerOf = (limits: readonly number[], windowMs?: number) =>
  limits.map((limit, at) => ({ scope: `s${at}`, parts: [part(limit, windowMs)] }));

describe('the turns of scopes that share a limit', () => {
  it('are one after another where the limit has no room for the probes of two', () => {
    const turns = turnsIn({ scope: 'all', parts: [part(120)] }, innerOf([30, 30]));
    expect(Object.fromEntries(turns)).toEqual({
      s0: { after: [], pauseMs: 0 },
      s1: { after: ['s0'], pauseMs: settledAfterMs(60_000) },
      all: { after: ['s0', 's1'], pauseMs: 0 },
    });
  });

  it('are the same where there is room for all', () => {
    // Two fills each, and forty more requests.
    const turns = turnsIn({ scope: 'all', parts: [part(200)] }, innerOf([30, 30]));
    expect([...turns.values()].map(({ after }) => after)).toEqual([[], [], ['s0', 's1']]);
    const one = turnsIn({ scope: 'all', parts: [part(199)] }, innerOf([30, 30]));
    expect(one.get('s1')?.after).toEqual(['s0']);
  });

  it('are apart where the shared limit has a shorter window, which each fills by itself', () => {
    const turns = turnsIn({ scope: 'all', parts: [part(5_000), part(100, 1_000)] }, innerOf([30, 30]));
    expect(turns.get('s1')).toEqual({ after: ['s0'], pauseMs: settledAfterMs(60_000) });
  });

  it('wait for a window that a run fills, not for a day', () => {
    const day = part(100, 86_400_000);
    expect(turnsIn({ scope: 'all', parts: [part(20), day] }, innerOf([30, 30])).get('s1')?.pauseMs).toBe(
      settledAfterMs(60_000),
    );
  });

  it('add up to how long a run takes', () => {
    const turns = turnsIn({ scope: 'all', parts: [part(120)] }, innerOf([30, 30]));
    const takes: Record<string, number> = { s0: 1_000, s1: 2_000, all: 4_000, apart: 3_000 };
    const ms = lastEndMs(turns, Object.keys(takes), (scope) => takes[scope] ?? 0);
    expect(ms).toBe(7_000 + settledAfterMs(60_000));
    expect(lastEndMs(new Map(), Object.keys(takes), (scope) => takes[scope] ?? 0)).toBe(4_000);
  });
});
