import { describe, expect, it } from 'vitest';
import { identifyStep } from '../../checks/identify/schedule.ts';
import { evidenceOf } from '../../checks/identify/second-look.ts';
import type { Algorithm } from '../../contract/identification.ts';
import { describe as described } from '../../judge/identify/describe.ts';
import { identify } from '../../judge/identify/identify.ts';
import { extendOnReject } from '../../limiters/extend-on-reject.ts';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { type Limiter, openWindow, type RateWindow } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { seeded } from '../../run/seeded.ts';
import { simulateIdentify } from '../simulation/identify-run.ts';
import { unknownTarget } from './testing/probe-unknown.ts';

// Windows of many minutes: examples of limiters for Express have 15 minutes.

type Asked = {
  readonly open: (nowMs: number) => RateWindow;
  readonly longestSeconds: number;
  /** What a refusal announces of the true wait, s; `null` where it announces nothing. */
  readonly announced: ((waitSeconds: number) => number) | null;
  /** The window that is expected; absent where nobody said anything. */
  readonly windowMs?: number;
};

const honest = Math.ceil;
const seeds = [1, 2, 3];

function probed({ open, longestSeconds, announced, windowMs }: Asked, seed: number) {
  const random = seeded(seed);
  let window: RateWindow | null = null;
  return simulateIdentify({
    target: { ...unknownTarget, windowMs: windowMs ?? null, windowMsMax: 1_000 * longestSeconds },
    admits: (nowMs) => {
      window ??= open(nowMs);
      const { admitted, retryAfterMs } = window.decide(nowMs);
      const retryAfterSeconds = announced?.(retryAfterMs / 1_000);
      return { admitted, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
    },
    latencyMs: (draw) => 2 + 3 * draw(),
    random,
    startMs: 1_760_000_000_000 + random() * 3_600_000,
  });
}

function namesOf(asked: Asked, seed: number) {
  const { algorithm, limit, windowSeconds } = described(identify(evidenceOf(probed(asked, seed))));
  return { names: [algorithm].flat(), limit, seconds: windowSeconds?.value };
}

const opened =
  <State>(limiter: Limiter<State>) =>
  (): RateWindow =>
    openWindow(limiter);

const lengths = [
  { limit: 100, seconds: 900 },
  { limit: 100, seconds: 300 },
  { limit: 30, seconds: 600 },
];

describe.each(lengths)('$limit in $seconds s, as its refusals announce', ({ limit, seconds }) => {
  const rate = { limit, windowMs: 1_000 * seconds };
  const asked = { longestSeconds: seconds, announced: honest };

  it.each<[Algorithm, Asked['open']]>([
    ['fixed-window-first-request', opened(fixedWindowFirstRequest(rate))],
    ['fixed-window-wall-clock', opened(fixedWindow(rate))],
    // A grid that begins with the very first request.
    ['fixed-window-phase', (ms) => openWindow(fixedWindow(rate, { phaseMs: ms % rate.windowMs }))],
    ['sliding-log', opened(slidingLog(rate))],
  ])('is named alone: %s', (name, open) => {
    for (const seed of seeds) {
      expect(namesOf({ ...asked, open }, seed)).toEqual({ names: [name], limit, seconds });
    }
  });

  it('is among the names: block-on-reject', () => {
    const open = opened(extendOnReject(rate, { extendedBy: 'first-rejection' }));
    for (const seed of seeds) {
      const found = namesOf({ ...asked, open }, seed);
      expect(found.names).toContain('block-on-reject');
      expect(found).toMatchObject({ limit, seconds });
    }
  });
});

it.each([100, 200, 300])('names a minute although its refusals announce %i s', (announcedSeconds) => {
  const rate = { limit: 100, windowMs: 60_000 };
  for (const limiter of [fixedWindowFirstRequest(rate), slidingLog(rate)]) {
    const asked = { open: opened(limiter as Limiter<unknown>), longestSeconds: 300 };
    const found = namesOf({ ...asked, announced: () => announcedSeconds }, 1);
    expect(found).toEqual({ names: [limiter.name], limit: 100, seconds: 60 });
  }
});

it.each([900, 1_800])('finds the length where nothing is announced, in %i s', (longestSeconds) => {
  const rate = { limit: 100, windowMs: 900_000 };
  const asked = { longestSeconds, announced: null };
  for (const limiter of [fixedWindowFirstRequest(rate), slidingLog(rate)]) {
    const found = namesOf({ ...asked, open: opened(limiter as Limiter<unknown>) }, 2);
    expect(found.names).toContain(limiter.name);
    expect(found).toMatchObject({ limit: 100, seconds: 900 });
  }
});

it('waits no longer than it may, and says that more is announced', () => {
  const open = opened(fixedWindowFirstRequest({ limit: 100, windowMs: 900_000 }));
  const run = probed({ open, longestSeconds: 300, announced: honest }, 1);
  const spanMs = (run.at(-1)?.sentMs ?? 0) - (run[0]?.sentMs ?? 0);
  expect(spanMs).toBeLessThan(310_000);
  const confirmed = run.slice(0, run.findLastIndex(({ purpose }) => purpose === 'confirm') + 1);
  const step = identifyStep(unknownTarget, confirmed, confirmed.at(-1)?.receivedMs ?? 0);
  expect(step).toMatchObject({ kind: 'wait', why: expect.stringContaining('900 s are announced') });
});

it.each([30, 100])(
  'tells a grid from windows where a length was expected that is as long as the wait (%i)',
  (limit) => {
    const rate = { limit, windowMs: 600_000 };
    const open = (ms: number) => openWindow(fixedWindow(rate, { phaseMs: ms % rate.windowMs }));
    const run = probed({ open, longestSeconds: 600, announced: null, windowMs: 600_000 }, 1);
    const { algorithm } = described(identify(evidenceOf(run), { windowMs: 600_000 }));
    expect(algorithm).toBe('fixed-window-phase');
  },
);
