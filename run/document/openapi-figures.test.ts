import { expect, test } from 'vitest';
import { figuresInDescription, figuresInExtensions, figuresInText } from './openapi-figures.ts';

type Figures = readonly (readonly [limit: number, seconds: number | null])[];

test.each<readonly [Readonly<Record<string, unknown>>, Figures]>([
  [{ 'x-rate-limit': 100 }, [[100, null]]],
  [{ 'x-rate-limit': '100/min' }, [[100, 60]]],
  [{ 'x-rateLimit': { limit: 100, window: 60 } }, [[100, 60]]],
  [{ 'x-rate-limit': { requests: 100, per: 'minute' } }, [[100, 60]]],
  [{ 'x-ratelimit': { max: 5, timeWindow: '30s' } }, [[5, 30]]],
  [{ 'x-ratelimit': { limit: 5, period: 'PT1M' } }, [[5, 60]]],
  [{ 'x-ratelimit-limit': 100, 'x-ratelimit-window': '1m' }, [[100, 60]]],
  [{ 'x-acme-rate-limit': { allRequests: { rpm: 10 } } }, [[10, 60]]],
  [{ 'x-rate-limit': { qps: 3 } }, [[3, 1]]],
  [{ 'x-rate-limit': { enabled: true, events: 100, window: '1m' } }, [[100, 60]]],
  [
    { 'x-ratelimit-queue-limit': 5, 'x-ratelimit-permit-limit': 100, 'x-ratelimit-window-seconds': 60 },
    [[100, 60]],
  ],
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
  [
    {
      'x-acme-rate-limits': {
        perKey: { maxInPeriod: 500, period: 'MINUTE' },
        perUser: { period: 'DAY', maxInPeriod: 9 },
      },
    },
    [
      [500, 60],
      [9, 86_400],
    ],
  ],
  [{ 'x-google-quota': { metricCosts: { requests: 1 } } }, []],
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
  // As descriptions of others have it: a list below its heading, with emphasis, in a table, in many words.
  [
    '## Rate Limit\n\nThe current ones are:\n\n*   **5,000** requests per hour\n*   250 requests per minute (5% of the hourly total)',
    [
      [5_000, 3_600],
      [250, 60],
    ],
  ],
  [
    '<h3>Rate limiting</h3><ul><li>10 requests per minute</li><li>a pen for 3 in 2 days</li></ul>',
    [[10, 60]],
  ],
  [
    '| Limits | |\n| requests per minute | 20 |\n| requests per day | 1,000 |\n',
    [
      [20, 60],
      [1_000, 86_400],
    ],
  ],
  ['There is a maximum throughput of 1800 requests per minute.', [[1_800, 60]]],
  ['At most 240 (two hundred forty) unique calls are allowed in 10 minutes', [[240, 600]]],
  ['A lower rate limit: 1 request within 30 consecutive seconds.', [[1, 30]]],
  ['Up to 3 files in 5 minutes.', []],
  [`Rate limits apply.${'\n'.repeat(9)}Billed by 5 requests per day`, []],
  ['A token lives for 5 minutes. We bill 3 requests per day.', []],
  ['Limits apply.', []],
])('of %j', (text, expected) => {
  const found = figuresInDescription(text, 'x');
  expect(found.map(({ limit, seconds }) => [limit, seconds])).toEqual(expected);
});

test('of an answer over the limit, each count with a window', () => {
  const found = figuresInText('Only 10 unique requests are allowed per day.\nOr 3 per second', 'x');
  expect(found.map(({ limit, seconds }) => [limit, seconds])).toEqual([
    [10, 86_400],
    [3, 1],
  ]);
});

test('looks once through a text, whatever it is full of', () => {
  expect(figuresInText(`1${' '.repeat(99_000)}request`, 'x')).toEqual([]);
});
