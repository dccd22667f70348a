import { describe, expect, it } from 'vitest';
import { leakyBucketQueue } from '../../limiters/leaky-bucket-queue.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { identify } from './identify.ts';
import type { ObservedRequest } from './observations.ts';

/** Bursts of these sizes, each so long after the last answer of the one before; it is a way of 2 ms, if nothing is said. */
function closedLoop(
  decide: (nowMs: number) => { readonly admitted: boolean; readonly delayMs?: number },
  {
    sizes,
    pauseMs,
    late = 0,
    wayMs = 2,
  }: {
    sizes: readonly number[];
    pauseMs: number;
    late?: number;
    wayMs?: number;
  },
): readonly ObservedRequest[] {
  const trace: ObservedRequest[] = [];
  let nowMs = 0;
  for (const [round, size] of sizes.entries()) {
    const answers = Array.from({ length: size }, (): ObservedRequest => {
      const { admitted, delayMs = 0 } = decide(nowMs + wayMs);
      const lateMs = round % 3 === 2 && delayMs > 0 ? late : 0;
      const outcome = admitted ? 'admitted' : 'limited';
      return { sentMs: nowMs, receivedMs: nowMs + 2 * wayMs + delayMs + lateMs, outcome };
    });
    trace.push(...answers);
    nowMs = Math.max(...answers.map(({ receivedMs }) => receivedMs ?? 0)) + (round === 0 ? 3_000 : pauseMs);
  }
  return trace;
}

const queue = (limit: number, waiting: number) => {
  const window = openWindow(leakyBucketQueue({ limit, windowMs: 60_000 }, { waiting }));
  return (nowMs: number) => window.decide(nowMs);
};

const sizes = [1, 2, 2, 2, 2, 3, 64];

describe('a queue, by the spacing of its answers', () => {
  it.each([
    { limit: 120, pauseMs: 0, late: 0 },
    { limit: 120, pauseMs: 3, late: 0 },
    { limit: 120, pauseMs: 20, late: 0 },
    { limit: 30, pauseMs: 3, late: 0 },
    { limit: 30, pauseMs: 3, late: 115 },
  ])('of $limit a minute, asked $pauseMs ms after its answers, some $late ms late', ({ limit, ...asked }) => {
    const { tied } = identify(closedLoop(queue(limit, 5), { sizes, ...asked }));
    expect(tied.map((fit) => [fit.algorithm, fit.limit, fit.lengthMs])).toEqual([
      ['leaky-bucket-queue', limit, 60_000],
    ]);
  });

  it('may have been empty between two bursts', () => {
    // Ways of 45 ms and a pause are 20 ms longer than a gap.
    const trace = closedLoop(queue(400, 40), { sizes: [1, ...Array(7).fill(16)], pauseMs: 80, wayMs: 45 });
    const [fit] = identify(trace).tied;
    expect([fit?.algorithm, fit?.limit]).toEqual(['leaky-bucket-queue', 400]);
    expect(fit?.window.highMs).toBeGreaterThan(60_000);
    expect(fit?.window.lowMs).toBeGreaterThan(58_000);
  });

  it('is not seen in requests of which none waits for another', () => {
    const slow = (nowMs: number) => ({ admitted: nowMs < 20_000, delayMs: nowMs < 1_000 ? 0 : 300 });
    const trace = closedLoop(slow, { sizes: Array.from({ length: 90 }, () => 1), pauseMs: 3 });
    expect(identify(trace).fits.map(({ algorithm }) => algorithm)).not.toContain('leaky-bucket-queue');
  });
});
