import { expect, test } from 'vitest';
import type { Exchange } from '../exchange.ts';
import { maskedExchange } from './masked-exchange.ts';

const mask = (text: string): string => text.replaceAll('canary', '[key]');

const exchange = {
  path: '/v1/media?token=canary&page=2',
  method: 'POST',
  headers: { limit: 'canary 1', remaining: 'canary 2', reset: null },
  retryAfter: 'canary 3',
  date: 'canary 4',
  contentType: 'canary 5',
  body: '{"echo":"canary"}',
  failure: 'canary 6',
} as Exchange;

test('all that came from the target is masked, and the query of the path', () => {
  expect(maskedExchange(exchange, mask)).toEqual({
    path: '/v1/media?token=(withheld)&page=2',
    method: 'POST',
    headers: { limit: '[key] 1', remaining: '[key] 2', reset: null },
    retryAfter: '[key] 3',
    date: '[key] 4',
    contentType: '[key] 5',
    body: '{"echo":"[key]"}',
    failure: '[key] 6',
  });
});
