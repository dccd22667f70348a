import { describe, expect, it, test } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { groupsOf } from './entries.ts';
import { placesLeft, placesLeftEvidence } from './places-left.ts';
import { admitted, limited, times, traceOf } from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

const groupOf = (exchanges: readonly Exchange[]) => groupsOf(traceOf(exchanges))[0]!;

/** How many may have taken a place since an answer that left more, and the 429; `null` where nothing is proved. */
function found(exchanges: readonly Exchange[], beside: readonly Exchange[] = []) {
  const left = placesLeft(groupOf(exchanges), beside.length === 0 ? [] : groupOf(beside).entries);
  if (left === null) return null;
  const { remaining, since, refusal } = left;
  return { remaining, since: since.length, refusal: refusal.exchange.requestId };
}

const left29 = admitted(0, 5, { remaining: '29' });
const refusal = limited(200, 205, { requestId: 'refused' });
const more = (count: number, sentMs = 100, receivedMs = 105) =>
  times(count, () => admitted(sentMs, receivedMs, { remaining: null }));

test('fewer than remained came since', () => {
  expect(found([left29, ...more(28), refusal])).toEqual({ remaining: 29, since: 28, refusal: 'refused' });
  expect(found([left29, ...more(29), refusal])).toBeNull();
});

describe('what may have come since', () => {
  it('is what was sent until the 429 was there', () => {
    expect(found([left29, ...more(28), ...more(5, 206, 210), refusal])?.since).toBe(28);
    expect(found([left29, ...more(28), ...more(1, 205, 210), refusal])).toBeNull();
  });

  it('is what was answered no sooner than the first answer was asked for', () => {
    const early = [...more(9, -50, -40), ...more(1, -50, -1)];
    const left19 = admitted(0, 5, { remaining: '19' });
    expect(found([...early, left19, ...more(18), refusal])?.since).toBe(18);
    expect(
      found([...early, ...more(1, -50, 0), admitted(0, 5, { remaining: '18' }), ...more(17), refusal]),
    ).toBeNull();
  });

  it('is no 429', () => {
    expect(found([left29, ...more(28), refusal, ...times(3, () => limited(201, 206))])?.since).toBe(28);
  });

  it('are requests of other groups too', () => {
    expect(found([left29, ...more(27), refusal], more(1))?.since).toBe(28);
    expect(found([left29, ...more(27), refusal], more(2))).toBeNull();
  });
});

describe('the 429', () => {
  it('is the one that was decided first, by all that is known', () => {
    const later = limited(150, 300, { requestId: 'later' });
    expect(found([left29, later, refusal])?.refusal).toBe('refused');
    expect(found([left29, refusal, later])?.refusal).toBe('refused');
  });

  it('comes within the first window', () => {
    expect(found([left29, limited(59_960, 59_970)])).not.toBeNull();
    expect(found([left29, limited(59_960, 59_980)])).toBeNull();
  });
});

describe('the answer', () => {
  it('was there before any 429 was asked for', () => {
    const slow = (receivedMs: number) => admitted(0, receivedMs, { remaining: '29' });
    expect(found([slow(199), refusal])).not.toBeNull();
    expect(found([slow(200), refusal])).toBeNull();
    expect(found([slow(160), refusal, limited(150, 400)])).toBeNull();
  });

  it('counts our own requests and no others', () => {
    expect(found([admitted(0, 5, { remaining: null }), refusal])).toBeNull();
    expect(found([admitted(0, 5, { remaining: '28' }), refusal])).toBeNull();
    expect(found([admitted(0, 5, { remaining: '30' }), refusal])).toBeNull();
    // Another may have been counted with it.
    expect(found([admitted(0, 5, { remaining: '28' }), ...more(1, 5, 9), refusal])?.remaining).toBe(28);
  });
});

test('all of it is shown, in the order of what it proves', () => {
  const group = groupOf([left29, ...more(3), refusal]);
  const { observed, exchanges, exchangesTotal } = placesLeftEvidence(
    group,
    placesLeft(group, [])!,
    'X-RateLimit-Remaining',
  );
  expect(observed).toBe('a 429 after at most 3 more requests, though X-RateLimit-Remaining had said 29');
  expect(exchangesTotal).toBe(5);
  expect(exchanges.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
});

test('nothing is proved by it across a jump of the clock', () => {
  const jumped = { ...refusal, wallSentMs: refusal.sentMs + 700, wallReceivedMs: refusal.sentMs + 705 };
  const verdict = (last: Exchange) => verdictOn('limits.media', traceOf([left29, ...more(20), last]))?.kind;
  expect(verdict(refusal)).toBe('violated');
  expect(verdict(jumped)).not.toBe('violated');
});
