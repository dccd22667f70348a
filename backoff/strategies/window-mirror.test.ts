import { describe, expect, it } from 'vitest';
import type { Limiter } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { placeMarginMs } from '../pacer/pacer.ts';
import { drain } from '../pacer/testing/backlog.ts';
import { simulate } from '../simulate.ts';
import { lowerBoundMs } from '../simulation/lower-bound.ts';
import { oneWayMs } from '../simulation/network.ts';
import { erased } from '../strategies.ts';
import { type Answer, nobody } from '../strategy.ts';
import { admitted, limited, lost, ready } from '../testing/answers.ts';
import { drawn, settingOf } from '../testing/settings.ts';
import { placesOf, windowMirror } from './window-mirror.ts';

const windowMs = 60_000;
const heldMs = windowMs + placeMarginMs(windowMs);

/** A mirror of a limit of three, asked step by step; each answer is the wait. */
function mirrored(limit = 3, sharers = { process: 0, processes: 1, clients: 8 }) {
  const strategy = windowMirror({ limit, windowMs, sharedBy: 'process' });
  const state = strategy.start(sharers);
  const ask = (answer: Answer): number => Math.round(strategy.next(state, answer, () => 0)[0]);
  /** Who is to ask again. */
  const called = (): readonly number[] => {
    const clients: number[] = [];
    const next = () => strategy.called?.(state) ?? nobody;
    for (let client = next(); client !== nobody; client = next()) clients.push(client);
    return clients;
  };
  return { ask, called };
}

const untilCalled = Number.POSITIVE_INFINITY;

describe('window mirror', () => {
  it('sends one request alone, then as many as the limit has left', () => {
    const { ask, called } = mirrored();
    expect(ask(ready(0, 0))).toBe(0);
    expect(ask(ready(1, 1))).toBeGreaterThan(0);
    expect(ask(admitted(20, { client: 0, remaining: 2 }))).toBe(0);
    expect(called()).toEqual([1]);
    expect([ask(ready(21, 1)), ask(ready(21, 2))]).toEqual([0, 0]);
  });

  it('gives a place back a window after its answer, not after its request, in turn', () => {
    const { ask, called } = mirrored();
    ask(ready(0, 0));
    ask(admitted(20, { client: 0, remaining: 2 }));
    ask(ready(21, 1));
    ask(ready(22, 2));
    ask(admitted(50, { client: 1, remaining: 1 }));
    ask(admitted(90, { client: 2, remaining: 0 }));
    expect(ask(ready(100, 3))).toBe(Math.round(20 + heldMs - 100));
    expect(ask(ready(100, 4))).toBe(untilCalled);
    expect(called()).toEqual([]);
    expect(ask(ready(20 + heldMs, 3))).toBe(0);
    expect(called()).toEqual([4]);
    expect(ask(ready(20 + heldMs, 4))).toBe(30);
  });

  it('lets those who come a whole limit later wait two windows', () => {
    const { ask, called } = mirrored(1);
    ask(ready(0, 0));
    ask(admitted(20, { client: 0, remaining: 0 }));
    expect(ask(ready(20, 1))).toBe(Math.round(heldMs));
    expect(ask(ready(20, 2))).toBe(untilCalled);
    expect(ask(ready(20 + heldMs, 1))).toBe(0);
    ask(admitted(20 + heldMs, { client: 1, remaining: 0 }));
    expect(called()).toEqual([2]);
    expect(ask(ready(20 + heldMs, 2))).toBe(Math.round(heldMs));
  });

  it('shuts for all when one is refused, then lets that one go ahead alone', () => {
    const { ask, called } = mirrored();
    ask(ready(0, 0));
    expect(ask(limited(20, 7, { client: 0 }))).toBe(7_000);
    expect(ask(ready(20, 1))).toBeGreaterThanOrEqual(7_000);
    expect(ask(ready(7_020, 0))).toBe(0);
    expect(ask(ready(7_020, 1))).toBe(untilCalled);
    ask(admitted(7_040, { client: 0, remaining: 2 }));
    expect(called()).toEqual([1]);
    expect(ask(ready(7_040, 1))).toBe(0);
  });

  it('goes as fast as Remaining lets it while strangers are in the window', () => {
    const { ask, called } = mirrored(30);
    ask(ready(0, 0));
    ask(admitted(20, { client: 0, remaining: 2 }));
    expect([ask(ready(20, 1)), ask(ready(20, 2))]).toEqual([0, 0]);
    expect([ask(ready(20, 3)), ask(ready(20, 4))]).toEqual([Math.round(heldMs), untilCalled]);
    // Four of theirs have left since; one of ours is still on its way.
    ask(admitted(40, { client: 1, remaining: 5 }));
    expect(called()).toEqual([3, 4]);
  });

  it('keeps the place of a request whose answer was lost, for it may have been counted', () => {
    const { ask } = mirrored(1);
    ask(ready(0, 0));
    expect(ask(lost(40, { client: 0 }))).toBe(0);
    expect(ask(ready(40, 0))).toBe(Math.round(heldMs));
  });

  it('shares the limit out to the last place', () => {
    const places = [0, 1, 2, 3].map((process) => placesOf(30, { process, processes: 4 }));
    expect(places).toEqual([8, 8, 7, 7]);
  });
});

const backlogs = [30, 120, 300].flatMap((limit) =>
  (['cold', 'warm'] as const).map((opening) => ({ limit, opening })),
);

describe('a simulated backlog', () => {
  it.each(backlogs)(
    'of limit $limit, $opening, is done as by the queue of paced itself',
    ({ limit, opening }) => {
      const jobs = 4 * limit;
      const limiter = slidingLog({ limit, windowMs }) as Limiter<unknown>;
      const setting = settingOf({ limiter, jobs, clients: jobs, opening });
      const random = drawn(limit);
      const queue = drain({
        limiter,
        jobs,
        latencyMs: () => oneWayMs(setting.network, random),
        random,
        headers: 'believed',
        earlierMs: opening === 'cold' ? [] : evenly(limit),
      });
      const mirror = erased(windowMirror({ limit, windowMs, sharedBy: 'key' }));
      const simulated = simulate(setting, mirror, drawn(limit));
      const apart = (simulated.makespanMs - queue.makespanMs) / lowerBoundMs(setting);
      expect(Math.abs(apart)).toBeLessThan(0.0015);
      expect(simulated.limited).toBe(queue.refused);
    },
  );
});

/** When others used up a limit in the window before, ms. */
function evenly(limit: number): readonly number[] {
  return Array.from({ length: limit }, (_, at) => ((at + 0.5) / limit - 1) * windowMs);
}
