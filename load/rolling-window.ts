import type { Lane } from './plan/lane.ts';
import { type PlanSetting, type Scenario, usual } from './plan/scenario.ts';
import { countedFrom, laneName, oneClient } from './plan/usual-lanes.ts';

/**
 * Shows that capacity returns request by request, as each leaves the window, and never all at once: waves at
 * `/v1/messages` and of uploads around a boundary of the wall-clock minute and around the expiry of the first wave
 * (clause `load.rolling-window`). A window that restarts at the boundary, or with its first request, admits up to twice
 * the limit within seconds.
 *
 * Requests: about 3.4 × the limit (1,005 messages, 101 uploads), on one key. Time: 1.3 windows, after at most one
 * window until the boundary: 80 s to 140 s.
 */
export const rollingWindow = {
  ...usual,
  name: 'rolling-window',
  clause: 'load.rolling-window',
  shows: 'capacity returns as requests leave: waves around the expiry and the wall-clock minute',
  about: ['messages', 'media'],
  planner: rollingWindowPlan,
} as const satisfies Scenario;

/**
 * How long before and after the first wave leaves the window the next waves come at most, ms: so close that its length
 * is known, and a second after for limiters that count in whole seconds.
 */
const beforeExpiryMsMax = 700;
const afterExpiryMsMax = 1_100;

/**
 * Waves around the wall-clock boundary and around the expiry of the first wave. Half the limit is sent a quarter of a
 * window before the boundary, the rest and a little more just before it. A window that restarts at the boundary admits
 * the third wave. One window after the first wave, half the limit is free again and no more; a window that began with
 * the first request admits twice that. All rejections together stay below half the limit until then, so that a log that
 * counts them shows the return too.
 */
function rollingWindowPlan({ scopes }: PlanSetting): readonly Lane[] {
  return scopes.map((scope) => {
    const { name, limit, windowMs } = scope;
    const half = Math.floor(limit / 2);
    const few = Math.max(2, Math.ceil(limit / 20));
    const at = (windows: number): number => Math.round(windows * windowMs);
    const before = Math.min(at(0.06), beforeExpiryMsMax);
    const after = Math.min(at(0.06), afterExpiryMsMax);
    return {
      ...oneClient,
      name: laneName('waves', name),
      scope: name,
      windowMs,
      ...countedFrom(scope, at(-0.25)),
      origin: 'wall-clock-boundary',
      waves: [
        { purpose: 'first-half', atMs: at(-0.25), count: half },
        { purpose: 'fill', atMs: at(-0.06), count: limit - half + few },
        { purpose: 'after-boundary', atMs: at(0.06), count: Math.floor(limit / 4) },
        { purpose: 'before-expiry', atMs: at(0.75) - before, count: few },
        { purpose: 'after-expiry', atMs: at(0.75) + after, count: limit },
        { purpose: 'settled', atMs: settledAt(windowMs), count: limit },
      ],
    };
  });
}

/**
 * When every refusal can be judged and the second half has left, with a second more for limiters that count in whole
 * seconds. A log that counts rejections may be full then.
 */
function settledAt(windowMs: number): number {
  return Math.round(Math.max(1.06 * windowMs, 0.96 * windowMs + 1_100));
}
