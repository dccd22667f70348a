import { expect, it } from 'vitest';
import { createStoreHealth } from './store-health.ts';

it('tells an outage once, whichever connections notice it, and its end when all work again', () => {
  const told: string[] = [];
  const health = createStoreHealth('Redis', (sentence) => told.push(sentence));
  health.works(0);
  expect(told).toEqual([]);
  health.failed(1, 'closed');
  health.failed(1, 'refused');
  health.failed(2, 'closed');
  health.works(1);
  health.failed(1, 'closed');
  expect(told).toEqual(['Redis does not answer (closed): requests are answered 503 until it does.']);
  health.works(1);
  health.works(2);
  health.works(2);
  expect(told.slice(1)).toEqual(['Redis answers again.']);
  health.failed(0, 'closed again');
  expect(told).toHaveLength(3);
});
