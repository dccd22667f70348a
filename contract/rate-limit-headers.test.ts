import { describe, expect, it } from 'vitest';
import type { Exchange } from './exchange.ts';
import { headerInteger, parseHeaderInteger, rateLimitHeaderNames } from './rate-limit-headers.ts';
import { resetIn } from './reset-units.ts';

const withHeaders = (headers: Exchange['headers']): Exchange => ({ headers }) as Exchange;

it('has the names that the document gives', () => {
  expect(Object.values(rateLimitHeaderNames)).toEqual([
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
  ]);
});

describe('a plain decimal integer', () => {
  it.each([
    ['0', 0],
    ['9', 9],
    ['120', 120],
    ['007', 7],
    ['999999999999999', 999_999_999_999_999],
  ])('%s is read', (raw, value) => {
    expect(parseHeaderInteger(raw)).toBe(value);
  });

  it.each(['', '1000000000000000', '-1', '+1', ' 1', '1.0', '1, 1', '1/', '1:', 'a'])('%j is none', (raw) => {
    expect(parseHeaderInteger(raw)).toBeNull();
  });

  it('is read from the header that is asked for', () => {
    const exchange = withHeaders({ limit: '30', remaining: '1, 2', reset: null });
    expect(headerInteger(exchange, 'limit')).toBe(30);
    expect(headerInteger(exchange, 'remaining')).toBeNull();
    expect(headerInteger(exchange, 'reset')).toBeNull();
  });
});

it.each([
  ['1760000040', 1_760_000_040],
  ['1760000040.25', 1_760_000_040.25],
  ['1.123456789', 1.123_456_789],
  ['1.1234567891', null],
  ['1234567890123456.5', null],
  ['1.', null],
  ['.5', null],
  ['a1.5', null],
  ['1.5s', null],
  ['1a5', null],
  [null, null],
])('a Reset of %s names the second %s', (reset, seconds) => {
  expect(resetIn('epoch-seconds', withHeaders({ limit: null, remaining: null, reset }))).toBe(seconds);
});
