import { describe, expect, it } from 'vitest';
import { evidenceOf } from '../../checks/identify/second-look.ts';
import { describe as described } from '../../judge/identify/describe.ts';
import { identify } from '../../judge/identify/identify.ts';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { openWindow, type RateWindow } from '../../limiters/limiter.ts';
import { inSteps } from '../../limiters/whole-seconds.ts';
import { probeUnknown } from './testing/probe-unknown.ts';

const rate = { limit: 120, windowMs: 60_000 };

/** Windows from the first request by a clock whose seconds have a phase of their own: Go's Fiber. */
const ticking = (phaseMs: number) => (): RateWindow =>
  openWindow(inSteps(fixedWindowFirstRequest(rate), { stepMs: 1_000, phaseMs }));

/** A grid that begins with the very first request: sethvargo's go-limiter. */
const gridFrom = (nowMs: number): RateWindow =>
  openWindow(fixedWindow(rate, { phaseMs: nowMs % rate.windowMs }));

function probed(open: (nowMs: number) => RateWindow, seed: number) {
  let window: RateWindow | null = null;
  return probeUnknown((nowMs) => {
    window ??= open(nowMs);
    return window.decide(nowMs).admitted;
  }, seed);
}

describe('one late request', () => {
  it.each([
    ['fixed-window-first-request', 'by whole seconds', ticking(0), 205],
    ['fixed-window-first-request', 'by seconds 0.3 s off', ticking(300), 265],
    ['fixed-window-first-request', 'by seconds 0.5 s off', ticking(500), 205],
    ['fixed-window-first-request', 'by seconds 0.9 s off', ticking(900), 205],
    ['fixed-window-phase', 'since the first request', gridFrom, 300],
  ] as const)('shows a %s %s alone', (algorithm, _clock, open, secondsMax) => {
    for (const seed of [1, 2, 3]) {
      const trace = probed(open, seed);
      const found = described(identify(evidenceOf(trace)));
      expect([found.algorithm, found.limit, found.windowSeconds?.value]).toEqual([algorithm, 120, 60]);
      const spanMs = (trace.at(-1)?.sentMs ?? 0) - (trace[0]?.sentMs ?? 0);
      expect(spanMs).toBeLessThan(secondsMax * 1_000);
    }
  });
});
