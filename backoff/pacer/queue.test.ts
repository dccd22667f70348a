import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import type { Limiter, Rate } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { slidingLogCountingRejections } from '../../limiters/sliding-log-counting-rejections.ts';
import { wholeSecondsLog } from '../../limiters/sub-window-log.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { twoBucket } from '../../limiters/two-bucket.ts';
import { drawn } from '../testing/settings.ts';
import { createQueue } from './queue.ts';
import { type Backlog, drain, makespanMsLeast } from './testing/backlog.ts';
import { virtualClock } from './testing/virtual-clock.ts';

const windowMs = 60_000;

const any = <State>(limiter: Limiter<State>): Limiter<unknown> => limiter as Limiter<unknown>;

function backlog(limiter: Limiter<unknown>, seed: number, more: Partial<Backlog> = {}): Backlog {
  const random = drawn(seed);
  const calm = { limiter, jobs: limiter.limit * 4, headers: 'believed', random } as const;
  return { ...calm, latencyMs: () => 2 + 40 * random(), ...more };
}

const everyJob = (jobs: number, processes: number) =>
  Array.from({ length: processes }, (_, process) =>
    Array.from({ length: Math.ceil((jobs - process) / processes) }, (_value, at) => at * processes + process),
  );

describe('a backlog at the documented service', () => {
  it.each([30, 120, 300])('limit %i: at most 1.03 × the least time, and no 429', (limit) => {
    for (const jobs of [4 * limit, 3.5 * limit]) {
      const limiter = any(slidingLog({ limit, windowMs }));
      const { admitted, refused, makespanMs } = drain(backlog(limiter, limit, { jobs }));
      expect(admitted[0]).toHaveLength(jobs);
      expect(refused).toBe(0);
      expect(makespanMs / makespanMsLeast(jobs, limiter)).toBeLessThan(1.03);
    }
  });

  it('four processes that share the key keep it together', () => {
    const limiter = any(slidingLog({ limit: 300, windowMs }));
    const { admitted, refused, makespanMs } = drain(backlog(limiter, 4, { processes: 4 }));
    expect(admitted.flat()).toHaveLength(1_200);
    expect(refused).toBe(0);
    expect(makespanMs / makespanMsLeast(1_200, limiter)).toBeLessThan(1.03);
  });

  const warm = [30, 120, 300].flatMap((limit) => [
    { limit, headers: 'believed' as const, most: 0.01 * 4 * limit },
    // Without headers, each doubling of what is tried may be one too many.
    { limit, headers: 'ignored' as const, most: Math.max(3, 0.01 * 4 * limit) },
  ]);

  it.each(warm)('a log that others filled in one burst: %o', ({ limit, headers, most }) => {
    const limiter = any(slidingLog({ limit, windowMs }));
    const earlierMs = Array.from({ length: limit }, (_, at) => -20_000 + at);
    const { admitted, refused, makespanMs } = drain(backlog(limiter, 9, { headers, earlierMs }));
    expect(admitted[0]).toHaveLength(4 * limit);
    expect(refused).toBeLessThanOrEqual(most);
    // 40 s until the others' requests leave, then three windows more.
    expect(makespanMs).toBeLessThan(1.03 * (40_000 + 3 * windowMs));
  });

  it.each([30, 120, 300])('a log of %i that others filled evenly: taken place by place', (limit) => {
    const limiter = any(slidingLog({ limit, windowMs }));
    const earlierMs = Array.from({ length: limit }, (_, at) => -windowMs + (at * windowMs) / limit);
    const { admitted, refused, makespanMs } = drain(backlog(limiter, 9, { earlierMs }));
    expect(admitted[0]).toHaveLength(4 * limit);
    expect(refused).toBeLessThanOrEqual(0.01 * 4 * limit);
    expect(makespanMs).toBeLessThan(1.03 * 4 * windowMs);
  });
});

const limiters: readonly (readonly [name: string, of: (rate: Rate) => Limiter<unknown>])[] = [
  ['sliding log', (rate) => any(slidingLog(rate))],
  ['log of whole seconds', (rate) => any(wholeSecondsLog(rate))],
  ['log that counts rejections', (rate) => any(slidingLogCountingRejections(rate))],
  ['fixed window', (rate) => any(fixedWindow(rate))],
  ['two buckets', (rate) => any(twoBucket(rate))],
  ['token bucket', (rate) => any(tokenBucket(rate))],
];

describe.each(limiters)('whatever the limiter: %s', (_name, of) => {
  it('loses no job, none twice, and never comes before a refusal allows it', () => {
    fc.assert(
      fc.property(
        fc.record({
          limit: fc.integer({ min: 1, max: 12 }),
          jobs: fc.integer({ min: 1, max: 40 }),
          latency: fc.integer({ min: 0, max: 3_000 }),
          processes: fc.integer({ min: 1, max: 3 }),
          earlier: fc.array(fc.integer({ min: -9_000, max: -1 }), { maxLength: 15 }),
          headers: fc.constantFrom('believed' as const, 'ignored' as const),
          lost: fc.constantFrom(0, 0.2),
          seed: fc.nat(),
        }),
        ({ limit, jobs, latency, processes, earlier, headers, lost, seed }) => {
          const random = drawn(seed);
          const drained = drain({
            limiter: of({ limit, windowMs: 5_000 }),
            jobs,
            headers,
            processes,
            lost,
            random,
            latencyMs: () => latency * random(),
            earlierMs: earlier.toSorted((a, b) => a - b),
          });
          const jobsInOrder = drained.admitted.map((mine) => mine.toSorted((a, b) => a - b));
          expect(jobsInOrder).toEqual(everyJob(jobs, processes));
          expect(drained.early).toBe(0);
        },
      ),
      { seed: 1, numRuns: 60 },
    );
  });
});

describe('the queue', () => {
  const limits = [{ limit: 2, ownMax: 2, windowMs: 1_000, marginMs: 0 }];
  const settings = { limits, queueMax: 3 };
  const sent = [{ heldEver: 0, cost: 1 }];
  const nothing = { limit: null, remaining: null, resetMs: null };

  it('goes in order, a refused request before all that came after it', () => {
    const clock = virtualClock();
    const queue = createQueue({ ...settings, onShorter: () => undefined }, clock);
    const went: string[] = [];
    const first = queue.enter(() => went.push('first'));
    for (const name of ['second', 'third']) queue.enter(() => went.push(name));
    expect(went).toEqual(['first']);
    queue.answered(sent, { kind: 'refused', headers: nothing, toldMs: 100, draw: 0 });
    queue.again(first!);
    clock.run(99);
    expect(went).toEqual(['first']);
    clock.run(100);
    expect(went).toEqual(['first', 'first']);
    queue.answered(sent, { kind: 'counted', headers: nothing });
    clock.run();
    expect(went).toEqual(['first', 'first', 'second', 'third']);
  });

  it('is bounded, and who leaves makes room', () => {
    const queue = createQueue({ ...settings, onShorter: () => undefined }, virtualClock());
    queue.enter(() => undefined);
    // The first answer lets one of them go at once.
    const waiting = [1, 2, 3, 4].map(() => queue.enter(() => undefined));
    expect(queue.enter(() => undefined)).toBeNull();
    expect(queue.leave(waiting[1]!)).toBe(true);
    expect(queue.leave(waiting[1]!)).toBe(false);
    expect(queue.enter(() => undefined)).not.toBeNull();
    expect(queue.waiting).toBe(4);
  });

  it('does not count who waits for the first answer alone, and has a place then', () => {
    const five = [{ limit: 5, ownMax: 5, windowMs: 1_000, marginMs: 0 }];
    const queue = createQueue({ limits: five, queueMax: 2, onShorter: () => undefined }, virtualClock());
    const went: number[] = [];
    const entered = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => queue.enter(() => went.push(n)) !== null);
    expect(went).toEqual([1]);
    expect(entered).toEqual([true, true, true, true, true, true, true, false, false]);
    queue.answered(sent, { kind: 'counted', headers: nothing });
    expect(went).toEqual([1, 2, 3, 4, 5]);
    expect(queue.waiting).toBe(2);
    expect(queue.enter(() => undefined)).toBeNull();
  });

  it('counts a dear one that the places which are free do not hold, and who comes after it', () => {
    const five = [{ limit: 5, ownMax: 5, windowMs: 1_000, marginMs: 0 }];
    const queue = createQueue({ limits: five, queueMax: 2, onShorter: () => undefined }, virtualClock());
    queue.enter(() => undefined, 2);
    expect([4, 1, 1].map((cost) => queue.enter(() => undefined, cost) !== null)).toEqual([true, true, false]);
  });

  it('counts all that wait after a refusal', () => {
    const queue = createQueue({ ...settings, queueMax: 1, onShorter: () => undefined }, virtualClock());
    queue.enter(() => undefined);
    queue.answered(sent, { kind: 'refused', headers: nothing, toldMs: 100, draw: 0 });
    expect([1, 2].map(() => queue.enter(() => undefined) !== null)).toEqual([true, false]);
  });

  it('gives back the place of what did not leave this process', () => {
    const queue = createQueue({ ...settings, onShorter: () => undefined }, virtualClock());
    const went: number[] = [];
    for (const n of [1, 2]) queue.enter(() => went.push(n));
    expect(went).toEqual([1]);
    queue.withdrawn(sent);
    expect(went).toEqual([1, 2]);
  });
});
