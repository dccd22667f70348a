import { describe, expect, it, test } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { banOf } from './ban.ts';
import { admitted, type Given, indeterminate, limited, times, traceOf } from './testing/traces.ts';

const plain: Given = { status: 403, limit: null, remaining: null, reset: null };
const refused = (sentMs: number, receivedMs: number, given: Given = {}) =>
  admitted(sentMs, receivedMs, { ...plain, ...given });
const keyless = (sentMs: number, given: Given = {}) =>
  refused(sentMs, sentMs + 5, { status: 401, key: null, credential: 'absent', ...given });

const shut = (count: number, given: Given = {}) =>
  times(count, (at) => refused(1_000 + at * 10, 1_005 + at * 10, given));

/** Served, then asked without a key, then shut out. */
const banned = [admitted(0, 5), keyless(100), ...shut(8)];

const banIn = (exchanges: readonly Exchange[]) => banOf(traceOf(exchanges));

test('keys that were served and are all refused after requests without a key are shut out, and why is said', () => {
  expect(banIn(banned)?.reason).toMatch(
    /^8 requests with valid keys got 403 without rate-limit headers, after 1 request without a valid key: /,
  );
  expect(banIn([...banned, keyless(200), keyless(2_000)])?.reason).toContain('after 2 requests');
});

describe('no ban is', () => {
  const cases: Readonly<Record<string, readonly Exchange[]>> = {
    'what seven refusals show': [admitted(0, 5), keyless(100), ...shut(7)],
    'without a request without a key before it': [admitted(0, 5), ...shut(8), keyless(1_005)],
    'of keys that were never served': [keyless(100), ...shut(8)],
    'of keys that were served later alone': [keyless(100), ...shut(8), admitted(5_000, 5_005)],
    'where a request was served in between': [...banned, admitted(1_006, 1_069)],
    'where the limit was told in between': [...banned, limited(1_006, 1_069)],
    'of refusals with two statuses': [...banned, refused(1_200, 1_205, { status: 404 })],
    'of refusals with rate-limit headers': [admitted(0, 5), keyless(100), ...shut(8, { remaining: '1' })],
    'of refusals by a proxy': [admitted(0, 5), keyless(100), ...shut(8, { status: 502 })],
    'of refusals that name the limit': [
      admitted(0, 5),
      keyless(100),
      ...shut(8, { body: '{"success":false,"error":{"code":"rate_limit_exceeded","message":"no"}}' }),
    ],
    'of requests whose error was wanted': [admitted(0, 5), keyless(100), ...shut(8, { route: 'other' })],
    'of requests without an answer': [
      admitted(0, 5),
      keyless(100),
      ...times(8, (at) => indeterminate(1_000 + at)),
    ],
  };
  it.each(Object.entries(cases))('%s', (_name, exchanges) => {
    expect(banIn(exchanges)).toBeNull();
  });
});

describe('a ban is one', () => {
  const cases: Readonly<Record<string, readonly Exchange[]>> = {
    // Sent before the first refusal had come, or answered after the last was sent.
    'where what was served meanwhile was on its way': [
      ...banned,
      admitted(1_005, 1_040),
      admitted(1_050, 1_070),
    ],
    'where an error that was wanted had another status': [
      ...banned,
      refused(1_030, 1_035, { status: 404, route: 'other' }),
    ],
    'where the last that was served was sent as the first refusal came': [
      keyless(100),
      ...shut(8),
      admitted(1_005, 1_200),
    ],
    'where what was served before carried no headers, and one got no answer': [
      admitted(0, 5, { ...plain, status: 200 }),
      keyless(100),
      indeterminate(200, plain),
      ...shut(8),
    ],
    'where a 429 was the last that was served': [limited(0, 5), keyless(100), ...shut(8)],
    'where the refusals came out of order': [admitted(0, 5), keyless(100), ...shut(8).toReversed()],
  };
  it.each(Object.entries(cases))('%s', (_name, exchanges) => {
    expect(banIn(exchanges)).not.toBeNull();
  });
});

test('it covers refusals alike that came after the last that was served, and nothing else', () => {
  const ban = banIn([admitted(0, 5), admitted(50, 60), admitted(20, 25), keyless(100), ...shut(8)]);
  const covers = (exchange: Exchange) => ban?.covers(exchange);
  expect(covers(refused(2_000, 2_005))).toBe(true);
  expect(covers(refused(40, 50))).toBe(true);
  expect(covers(refused(40, 49))).toBe(false);
  expect(covers(refused(2_000, 2_005, { status: 404 }))).toBe(false);
  expect(covers(refused(2_000, 2_005, { limit: '30' }))).toBe(false);
});

test('what was held up until the ban was over does not say that it began later', () => {
  const before = refused(900, 905, { key: null, credential: 'unknown' });
  const ban = (heldUp: Exchange) => banIn([admitted(0, 5), keyless(100), heldUp, ...shut(8)]);
  expect(ban(admitted(1_000, 9_000))?.covers(before)).toBe(true);
  expect(ban(admitted(1_000, 1_006))?.covers(before)).toBe(true);
  expect(ban(admitted(1_000, 1_005))?.covers(before)).toBe(false);
  const first = banIn([keyless(100), ...shut(8), admitted(1_000, 9_000)]);
  expect(first?.covers(before)).toBe(true);
});
