import { describe, expect, it } from 'vitest';
import { evidenceOf } from '../../checks/identify/second-look.ts';
import { describe as described } from '../../judge/identify/describe.ts';
import { identify } from '../../judge/identify/identify.ts';
import { probeUnknown } from './testing/probe-unknown.ts';

type Rule = { readonly limit: number; readonly windowMs: number };

/**
 * Apache's mod_evasive, by its check_access: a clock of whole seconds; each request within a block begins it anew; the
 * count falls to 0 only after a silence; and the first request of a client makes the entry that counts the others.
 */
function evasive({ limit, windowMs }: Rule): (nowMs: number) => boolean {
  let count = -1;
  let lastMs = Number.NEGATIVE_INFINITY;
  let refusedMs = Number.NEGATIVE_INFINITY;
  return (exactMs) => {
    const nowMs = Math.floor(exactMs / 1_000) * 1_000;
    const isSilent = count >= 0 && nowMs - lastMs >= windowMs;
    const isBlocked = nowMs - refusedMs < windowMs;
    if (isBlocked || (!isSilent && count >= limit)) {
      if (!isBlocked) lastMs = nowMs;
      refusedMs = nowMs;
      return false;
    }
    lastMs = nowMs;
    count = (isSilent ? 0 : count) + 1;
    return true;
  };
}

describe('a block that every request prolongs, of a client whose first request does not count', () => {
  it.each([
    // What is set, and what is found: the rounder one of the first window's limit and of the others'.
    [{ limit: 119, windowMs: 60_000 }, 120],
    [{ limit: 120, windowMs: 60_000 }, 120],
    [{ limit: 29, windowMs: 45_000 }, 30],
    [{ limit: 300, windowMs: 45_000 }, 300],
  ] as const)('is named for %o within three silences', (rule, limit) => {
    for (const seed of [1, 2, 3]) {
      const trace = probeUnknown(evasive(rule), seed);
      const found = described(identify(evidenceOf(trace)));
      expect([found.algorithm, found.limit]).toEqual(['extend-on-reject', limit]);
      expect(found.windowSeconds?.low).toBeLessThanOrEqual(rule.windowMs / 1_000);
      expect(found.windowSeconds?.high ?? 300).toBeGreaterThanOrEqual(rule.windowMs / 1_000);
      expect((trace.at(-1)?.sentMs ?? 0) - (trace[0]?.sentMs ?? 0)).toBeLessThan(320_000);
    }
  });
});
