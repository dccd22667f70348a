import { expect, test } from 'vitest';
import { figuresInDescription, figuresInExtensions } from './openapi-figures.ts';

type Figures = readonly (readonly [limit: number, seconds: number | null])[];

test.each<readonly [Readonly<Record<string, unknown>>, Figures]>([
  [{ 'x-rate-limit': 100 }, [[100, null]]],
  [{ 'x-rate-limit': '100/min' }, [[100, 60]]],
  [{ 'x-rateLimit': { limit: 100, window: 60 } }, [[100, 60]]],
  [{ 'x-rate-limit': { requests: 100, per: 'minute' } }, [[100, 60]]],
  [{ 'x-ratelimit': { max: 5, timeWindow: '30s' } }, [[5, 30]]],
  [{ 'x-ratelimit': { limit: 5, period: 'PT1M' } }, [[5, 60]]],
  [{ 'x-ratelimit-limit': 100, 'x-ratelimit-window': '1m' }, [[100, 60]]],
  [{ 'x-throttling': { default: { limit: 5, interval: '10 seconds' } } }, [[5, 10]]],
  [
    { 'x-acme-plugin-rate-limiting': { config: { minute: 5, hour: 100, policy: 'local' } } },
    [
      [5, 60],
      [100, 3_600],
    ],
  ],
  [
    {
      'x-rate-limits': [
        { limit: 1, unit: 'second' },
        { limit: 9, unit: 'day' },
      ],
    },
    [
      [1, 1],
      [9, 86_400],
    ],
  ],
  [{ 'x-rate-limit': { limit: -1 } }, []],
  [{ 'x-rate-limit': true, 'x-other': { limit: 5 } }, []],
])('%j', (node, expected) => {
  expect(figuresInExtensions(node, 'x').map(({ limit, seconds }) => [limit, seconds])).toEqual(expected);
});

test.each<readonly [string, Figures]>([
  ['The rate limit is 5,000 requests per hour.', [[5_000, 3_600]]],
  [
    'Rate limited to 100/min, and 60 calls every 30 seconds',
    [
      [100, 60],
      [60, 30],
    ],
  ],
  ['A token lives for 5 minutes. We bill 3 requests per day.', []],
  ['Limits apply.', []],
])('of %j', (text, expected) => {
  const found = figuresInDescription(text, 'x');
  expect(found.map(({ limit, seconds }) => [limit, seconds])).toEqual(expected);
});
