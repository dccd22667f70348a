import { describe, expect, it } from 'vitest';
import { leakyBucketQueue } from '../../limiters/leaky-bucket-queue.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { identify } from './identify.ts';
import type { Observed } from './observations.ts';

/** Bursts of these sizes, each so long after the last answer of the one before; an answer takes a way of 2 ms each. */
function closedLoop(
  decide: (nowMs: number) => { readonly admitted: boolean; readonly delayMs?: number },
  { sizes, pauseMs, late = 0 }: { sizes: readonly number[]; pauseMs: number; late?: number },
): readonly Observed[] {
  const trace: Observed[] = [];
  let nowMs = 0;
  for (const [round, size] of sizes.entries()) {
    const answers = Array.from({ length: size }, (): Observed => {
      const { admitted, delayMs = 0 } = decide(nowMs + 2);
      const lateMs = round % 3 === 2 && delayMs > 0 ? late : 0;
      const outcome = admitted ? 'admitted' : 'limited';
      return { sentMs: nowMs, receivedMs: nowMs + 4 + delayMs + lateMs, outcome };
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

  it('is not seen in requests of which none waits for another', () => {
    const slow = (nowMs: number) => ({ admitted: nowMs < 20_000, delayMs: nowMs < 1_000 ? 0 : 300 });
    const trace = closedLoop(slow, { sizes: Array.from({ length: 90 }, () => 1), pauseMs: 3 });
    expect(identify(trace).fits.map(({ algorithm }) => algorithm)).not.toContain('leaky-bucket-queue');
  });
});
