import { describe, expect, it, test } from 'vitest';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { openWindow, type Rate } from '../../limiters/limiter.ts';
import { perSecondCap } from '../../limiters/per-second-cap.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { identify } from './identify.ts';
import { observe } from './observations.ts';
import { takenBefore, withTakenBefore } from './taken-before.ts';
import { burst, originMs, played, probing } from './testing/played.ts';

const limiters = {
  'sliding-log': (rate: Rate) => openWindow(slidingLog(rate)),
  'fixed-window-first-request': (rate: Rate) => openWindow(fixedWindowFirstRequest(rate)),
};

/** What a probe of a limit sees where so many requests of others came shortly before it. */
function afterOthers(algorithm: keyof typeof limiters, limit: number, others: number) {
  const window = limiters[algorithm]({ limit, windowMs: 60_000 });
  for (let nth = 0; nth < others; nth += 1) window.decide(originMs - 900 + nth);
  return played((nowMs) => window.decide(nowMs).admitted, probing(limit), { latencyMs: () => 1 });
}

describe.each(Object.keys(limiters) as (keyof typeof limiters)[])('%s', (algorithm) => {
  it.each([0, 1, 3, 7])('is found with its own limit where %i places were taken shortly before', (others) => {
    const { tied, cap } = identify(afterOthers(algorithm, 120, others), { limit: 120, windowMs: 60_000 });
    expect([cap, tied.map((fit) => fit.limit)]).toEqual([null, tied.map(() => 120)]);
    expect(tied.map((fit) => fit.algorithm)).toContain(algorithm);
  });
});

test('a limit that nobody sets is believed where it is met twice, and nothing above it', () => {
  const { tied } = identify(afterOthers('sliding-log', 117, 0), { limit: 120, windowMs: 60_000 });
  expect(tied.map(({ limit }) => limit)).toEqual(tied.map(() => 117));
});

test.each([120, 40])('a limit of 37 in a second is kept where it is on top of %i in a minute', (limit) => {
  const window = openWindow(perSecondCap(slidingLog({ limit, windowMs: 60_000 }), 37));
  const bursts = [3, 4.1, 5.2, 6.3, 7.4, 64.5, 65.6, 66.7, 67.8].map((at) => burst(at * 1_000, 40));
  const apart = [15_000, 30_000, 45_000, 59_900, 60_100, 61_500];
  const sending = [0, ...bursts.flat(), ...apart].sort((left, right) => left - right);
  const trace = played((nowMs) => window.decide(nowMs).admitted, sending, { latencyMs: () => 1 });
  expect(identify(trace, { limit, windowMs: 60_000 }).cap?.limit).toBe(37);
});

describe('places taken before', () => {
  const seen = (others: number, limit = 120) => observe(afterOthers('sliding-log', limit, others));

  it('are what lacks to the limit that is expected', () => {
    expect(takenBefore(seen(3), { limit: 120 })).toBe(3);
    expect(takenBefore(seen(0), { limit: 120 })).toBe(0);
    expect(takenBefore(seen(3), { limit: 100 })).toBe(0);
    expect(takenBefore(seen(3), {})).toBe(0);
  });

  it('are few', () => {
    expect(takenBefore(seen(10), { limit: 120 })).toBe(10);
    expect(takenBefore(seen(11), { limit: 120 })).toBe(0);
  });

  it('may count from the first request on', () => {
    const trace = afterOthers('sliding-log', 120, 3);
    const { count, isAdmitted, low } = withTakenBefore(trace, 3);
    expect(count).toBe(trace.length + 3);
    expect([...isAdmitted].filter(Boolean)).toHaveLength(
      trace.filter(({ outcome }) => outcome === 'admitted').length,
    );
    expect(low[0]).toBe(observe(trace).low[0]);
    expect(withTakenBefore(trace.toReversed(), 3).low).toEqual(low);
  });

  it('are known of requests that are views of columns too', () => {
    const trace = afterOthers('sliding-log', 120, 3);
    class View {
      readonly #at: number;
      constructor(at: number) {
        this.#at = at;
      }
      get sentMs() {
        return trace[this.#at]?.sentMs ?? 0;
      }
      get receivedMs() {
        return trace[this.#at]?.receivedMs ?? null;
      }
      get outcome() {
        return trace[this.#at]?.outcome ?? 'indeterminate';
      }
    }
    const views = trace.map((_, at) => new View(at));
    expect(withTakenBefore(views, 3).low).toEqual(withTakenBefore(trace, 3).low);
  });
});
