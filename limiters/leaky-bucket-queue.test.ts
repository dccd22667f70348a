import { expect, it } from 'vitest';
import { leakyBucketQueue } from './leaky-bucket-queue.ts';
import { epochMs } from './testing/histories.ts';

it('answers a burst one by one, and rejects what finds no room to wait', () => {
  const queue = leakyBucketQueue({ limit: 60, windowMs: 60_000 }, { waiting: 3 });
  const state = queue.start();
  const answers = [0, 0, 0, 0, 0, 2_500, 2_500, 2_500].map((atMs) => {
    const { admitted, delayMs } = queue.decide(state, epochMs + atMs);
    return admitted ? `${atMs} → ${atMs + (delayMs ?? 0)}` : `${atMs} rejected`;
  });
  expect(answers).toEqual([
    '0 → 0',
    '0 → 1000',
    '0 → 2000',
    '0 → 3000',
    '0 rejected',
    '2500 → 4000',
    '2500 → 5000',
    '2500 rejected',
  ]);
});
