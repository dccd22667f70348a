import { describe, expect, it } from 'vitest';
import { documentedLimits, documentedWindowMs, scopes } from '../contract/scopes.ts';
import { simulate } from './simulate.ts';
import { lowerBoundMs } from './simulation/lower-bound.ts';
import type { Setting } from './simulation/setting.ts';
import { retryAfterAlone } from './strategies/retry-after.ts';
import { windowMirror } from './strategies/window-mirror.ts';
import { type AnyStrategy, erased } from './strategies.ts';
import { drawn, settingOf } from './testing/settings.ts';

const openings = ['cold', 'warm', 'all at once'] as const;
const backlogs = [4, 3.5] as const;
const runs = 10;

type Situation = {
  readonly limit: number;
  readonly opening: (typeof openings)[number];
  readonly windows: number;
};

const situations: readonly Situation[] = scopes.flatMap((scope) =>
  openings.flatMap((opening) =>
    backlogs.map((windows) => ({ limit: documentedLimits[scope], opening, windows })),
  ),
);

function settingIn({ limit, opening, windows }: Situation, at: number): Setting {
  const jobs = windows * limit;
  return settingOf({
    rate: { limit, windowMs: documentedWindowMs },
    jobs,
    clients: opening === 'all at once' ? jobs : 20,
    opening: opening === 'warm' ? 'warm' : 'cold',
    // Spread over the second and over the minute, which figures are rounded to.
    startMs: 100_000 + at * 6_137,
  });
}

/** The worst makespan over its lower bound, and the worst share of 429s, of some runs. */
function worst(situation: Situation, strategy: AnyStrategy) {
  const played = Array.from({ length: runs }, (_, at) => {
    const setting = settingIn(situation, at);
    return { outcome: simulate(setting, strategy, drawn(at + 1)), boundMs: lowerBoundMs(setting) };
  });
  return {
    overBound: Math.max(...played.map(({ outcome, boundMs }) => outcome.makespanMs / boundMs)),
    wasted: Math.max(...played.map(({ outcome }) => outcome.wasted)),
    early: Math.max(...played.map(({ outcome }) => outcome.early)),
    lostJobs: Math.max(...played.map(({ outcome }) => outcome.lostJobs)),
  };
}

describe('a coordinated client that knows the limit', () => {
  it.each(situations)(
    'limit $limit, $opening, $windows windows: 3 % over the bound, 1 % 429s',
    (situation) => {
      const { limit } = situation;
      const mirror = erased(windowMirror({ limit, windowMs: documentedWindowMs, sharedBy: 'key' }));
      const { overBound, wasted, early, lostJobs } = worst(situation, mirror);
      expect(overBound).toBeLessThanOrEqual(1.03);
      expect(wasted).toBeLessThanOrEqual(0.01);
      expect([early, lostJobs]).toEqual([0, 0]);
    },
  );
});

describe('sequential clients that know retry_after_seconds alone', () => {
  it.each(situations.filter(({ opening }) => opening === 'cold'))(
    'limit $limit, $windows windows, cold: 5 % over the bound, 429s no more than 1.1 · clients / limit',
    (situation) => {
      const { overBound, wasted, early, lostJobs } = worst(situation, erased(retryAfterAlone()));
      expect(overBound).toBeLessThanOrEqual(1.05);
      expect(wasted).toBeLessThanOrEqual((1.1 * 20) / situation.limit);
      expect([early, lostJobs]).toEqual([0, 0]);
    },
  );
});

describe('lower bound', () => {
  it.each(situations)('limit $limit, $opening, $windows windows: as reckoned by hand', (situation) => {
    const { limit, opening, windows } = situation;
    const setting = settingIn(situation, 0);
    const full = Math.ceil(windows) * documentedWindowMs;
    const lastOfWarm = ((((windows * limit - 1) % limit) + 0.5) * documentedWindowMs) / limit;
    const byHand = opening === 'warm' ? full - documentedWindowMs + lastOfWarm : full - documentedWindowMs;
    expect(lowerBoundMs(setting)).toBeCloseTo(byHand + (setting.network.quantilesMs[0] ?? 0), 3);
  });

  it('is never beaten where no job is lost', () => {
    for (const situation of situations) {
      const { overBound } = worst(situation, erased(retryAfterAlone()));
      expect(overBound).toBeGreaterThanOrEqual(1);
    }
  });
});
