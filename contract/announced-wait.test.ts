import { describe, expect, it } from 'vitest';
import {
  type Announcing,
  headerWait,
  momentStepMs,
  secondsIn,
  unsureSecondsIn,
  waitPlacesOf,
  waitToKeep,
} from './announced-wait.ts';
import type { RetryAfterForm } from './document/retry-after.ts';
import type { Exchange } from './exchange.ts';
import type { ResetUnit } from './reset-units.ts';
import type { WaitUnit } from './wait-units.ts';

const date = 'Wed, 21 Oct 2026 07:28:00 GMT';
const inTen = 'Wed, 21 Oct 2026 07:28:10 GMT';

function announcing(refusal: Announcing['document']['refusal']): Announcing {
  return { document: { refusal, headers: 'x-ratelimit', scopes: {} }, clockSkewSecondsMax: 5 };
}

/** A refusal with nothing in it but what is given. */
function refused(given: Partial<Exchange>): Exchange {
  return { method: 'GET', body: null, retryAfter: null, date: null, ...given } as Exchange;
}

const none = announcing(undefined);

it.each<readonly [string | null, string | null, ReturnType<typeof headerWait>]>([
  [null, date, { kind: 'absent' }],
  ['12', date, { kind: 'seconds', seconds: 12 }],
  ['0', date, { kind: 'seconds', seconds: 0 }],
  ['1234567890123456', date, { kind: 'neither' }],
  ['-1', date, { kind: 'neither' }],
  ['1.5', date, { kind: 'neither' }],
  ['', date, { kind: 'neither' }],
  [inTen, date, { kind: 'date', seconds: 10 }],
  [date, inTen, { kind: 'date', seconds: -10 }],
  [inTen, null, { kind: 'date', seconds: null }],
  [inTen, 'now', { kind: 'date', seconds: null }],
  ['Wednesday, 21-Oct-26 07:28:10 GMT', date, { kind: 'neither' }],
])('Retry-After %j beside Date %j', (retryAfter, dated, wait) => {
  expect(headerWait(refused({ retryAfter, date: dated }))).toEqual(wait);
});

describe('the wait in seconds', () => {
  it.each<readonly [string | null, string | null, number | null]>([
    ['12', date, 12],
    ['0', date, null],
    [inTen, date, 10],
    [date, inTen, 1],
    [inTen, null, null],
    ['soon', date, null],
  ])('of Retry-After %j beside Date %j', (retryAfter, dated, seconds) => {
    expect(secondsIn('header', refused({ retryAfter, date: dated }), none)).toBe(seconds);
  });

  it.each<readonly [string, number | null]>([
    ['{"a":{"wait":7}}', 7],
    ['{"a":{"wait":0}}', null],
    ['{"a":{"wait":1.5}}', null],
    ['{"a":{"wait":"7"}}', null],
    ['<html>', null],
  ])('of a field in %s', (body, seconds) => {
    const setting = announcing({ status: 403, body: { '/ok': false }, retryAfterPointer: '/a/wait' });
    expect(secondsIn('field', refused({ body }), setting)).toBe(seconds);
  });

  it.each<readonly [string, WaitUnit, number | null]>([
    ['{"wait":1.5}', 'seconds', 1.5],
    ['{"wait":0}', 'seconds', null],
    ['{"wait":"7"}', 'seconds', null],
    ['{"wait":386}', 'ms', 0.386],
    ['{"wait":0.5}', 'ms', 0.0005],
    ['{"wait":-1}', 'ms', null],
    ['{}', 'ms', null],
  ])('of a field in %s in %s', (body, retryAfterUnit, seconds) => {
    const setting = announcing({
      ...{ status: 403, body: { '/ok': false }, retryAfterPointer: '/wait', retryAfterUnit },
    });
    expect(secondsIn('field', refused({ body }), setting)).toBe(seconds);
  });

  it.each<readonly [string, Announcing['document']['refusal'], readonly string[]]>([
    ['nothing of refusals', undefined, ['documented']],
    ['a status alone', { status: 503 }, ['documented']],
    ['no Retry-After', { status: 503, retryAfter: 'none' }, ['documented']],
    ['Retry-After', { status: 503, retryAfter: 'date' }, ['header']],
    [
      'both',
      { status: 503, retryAfter: 'seconds', body: { '/a': 1 }, retryAfterPointer: '/w' },
      ['field', 'header'],
    ],
  ])('stands where a document says it does: %s', (_what, refusal, places) => {
    expect(waitPlacesOf(announcing(refusal))).toEqual(places);
  });

  it('of what the document says is the same for each, as unsure as a window may be held longer', () => {
    const exchange = refused({ retryAfter: '10' });
    expect(secondsIn('stated', exchange, announcing({ status: 403, waitSeconds: 30 }))).toBe(30);
    expect(secondsIn('stated', exchange, announcing({ status: 403 }))).toBeNull();
    expect(secondsIn('stated', exchange, none)).toBeNull();
    expect(unsureSecondsIn('stated', exchange, none)).toBe(1);
  });

  it('of a date is as unsure as Date may be off', () => {
    const dated = refused({ retryAfter: inTen, date });
    expect(unsureSecondsIn('header', dated, none)).toBe(5);
    expect(unsureSecondsIn('field', dated, none)).toBe(0);
    expect(unsureSecondsIn('header', refused({ retryAfter: '10' }), none)).toBe(0);
  });
});

it('each place that a document promises has its turn; without one it is the messaging document’s', () => {
  const exchange = refused({
    retryAfter: '9',
    body: '{"wait":7,"error":{"retry_after_seconds":3}}',
  });
  const body = { '/ok': false };
  const both = announcing({ status: 403, retryAfter: 'seconds', body, retryAfterPointer: '/wait' });
  expect([0, 1, 2].map((at) => waitToKeep(exchange, both, at))).toEqual([7, 9, 7]);
  const header = announcing({ status: 403, retryAfter: 'either' });
  expect([0, 1].map((at) => waitToKeep(exchange, header, at))).toEqual([9, 9]);
  expect(waitToKeep(exchange, announcing({ status: 403, retryAfter: 'none' }), 0)).toBe(3);
  expect(waitToKeep(exchange, none, 1)).toBe(3);
  const dated = announcing({ status: 403, retryAfter: 'date' });
  expect(waitToKeep(refused({ retryAfter: inTen, date }), dated, 0)).toBe(10);
});

it.each<readonly [RetryAfterForm, string, ReturnType<typeof headerWait>]>([
  ['decimal', '1.5', { kind: 'seconds', seconds: 1.5 }],
  ['decimal', inTen, { kind: 'neither' }],
  ['ms', '1500', { kind: 'seconds', seconds: 1.5 }],
  ['duration', '1m1.5s', { kind: 'seconds', seconds: 61.5 }],
  ['duration', '61', { kind: 'neither' }],
  ['date', '12', { kind: 'seconds', seconds: 12 }],
  ['seconds', inTen, { kind: 'date', seconds: 10 }],
])('as %s, %s is %j', (form, retryAfter, wait) => {
  const answer = refused({ retryAfter, date });
  expect(headerWait(answer, form)).toEqual(wait);
  const read = 'seconds' in wait ? wait.seconds : null;
  const named = announcing({ status: 429, retryAfter: { name: 'X-Wait', as: form } });
  expect(secondsIn('header', answer, named)).toBe(read);
  expect(unsureSecondsIn('header', answer, named)).toBe(wait.kind === 'date' ? 5 : 0);
});

describe('a wait that the reset tells', () => {
  const receivedMs = 1_700_000_000_500;
  const refusal = { status: 429, waitUntilReset: true };
  const named = (unit: ResetUnit): Announcing => ({
    document: { refusal, headers: { reset: { name: 'Again', unit }, on: 'all' }, scopes: {} },
    clockSkewSecondsMax: 5,
  });
  const told = (reset: string | null, given: Partial<Exchange> = {}): Exchange =>
    refused({ receivedMs, headers: { limit: null, remaining: null, reset }, ...given });

  it.each<readonly [ResetUnit, string | null, number | null, number]>([
    ['epoch-seconds', '1700000030', 29.5, 6],
    ['epoch-seconds', '1700000000', 0, 6],
    ['epoch-ms', '1700000030250', 29.75, 6],
    ['date', '2023-11-14T22:13:50Z', 29.5, 6],
    ['seconds', '30', 30, 1],
    ['ms', '30500', 30.5, 1],
    ['duration', '29.5s', 29.5, 1],
    ['seconds', 'soon', null, 1],
    ['seconds', null, null, 1],
  ])('is %s %s: %s s, and %i s more', (unit, reset, seconds, unsure) => {
    expect(secondsIn('reset', told(reset), named(unit))).toBe(seconds);
    expect(unsureSecondsIn('reset', told(reset), named(unit))).toBe(unsure);
    expect(waitToKeep(told(reset), named(unit), 0)).toBe(seconds === null ? null : seconds + unsure);
  });

  it('counts by the wall clock where that is known, and is none where no answer came', () => {
    const at = { wallReceivedMs: 1_700_000_010_000 };
    expect(secondsIn('reset', told('1700000030', at), named('epoch-seconds'))).toBe(20);
    expect(secondsIn('reset', told('30', { receivedMs: null }), named('seconds'))).toBeNull();
  });

  it('is a second longer where a client keeps it', () => {
    const { clockSkewSecondsMax } = none;
    const draft: Announcing = {
      document: { refusal, headers: 'ietf-draft-7', scopes: {} },
      clockSkewSecondsMax,
    };
    expect(waitToKeep(told('limit=10, remaining=0, reset=7'), draft, 0)).toBeNull();
    expect(waitToKeep(told('7'), draft, 0)).toBe(8);
  });

  it('is one of the places of a wait, by turns', () => {
    const setting = named('seconds');
    const both = { ...refusal, retryAfter: 'seconds' as const };
    const document = { ...setting.document, refusal: both };
    expect(waitPlacesOf({ document })).toEqual(['header', 'reset']);
    const answer = told('30', { retryAfter: '9' });
    expect([0, 1].map((at) => waitToKeep(answer, { ...setting, document }, at))).toEqual([9, 31]);
  });
});

it.each<readonly [Announcing['document']['refusal'], ResetUnit, number | null]>([
  [{ status: 429, waitUntilReset: true }, 'epoch-seconds', 1_000],
  [{ status: 429, waitUntilReset: true }, 'date', 1_000],
  [{ status: 429, waitUntilReset: true }, 'epoch-ms', 1],
  [{ status: 429, waitUntilReset: true }, 'seconds', null],
  [{ status: 429, waitUntilReset: false }, 'epoch-ms', null],
  [{ status: 429, retryAfter: 'date' }, 'seconds', 1_000],
  [{ status: 429, retryAfter: 'date', waitUntilReset: true }, 'epoch-ms', 1],
  [{ status: 429, retryAfter: 'either' }, 'epoch-ms', null],
  [undefined, 'epoch-ms', null],
])('refusals by %j, with a reset in %s, tell moments in steps of %s ms', (refusal, unit, step) => {
  const headers = { reset: { name: 'Again', unit }, on: 'all' as const };
  expect(momentStepMs({ refusal, headers, scopes: {} })).toBe(step);
});
