import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import { caseOf } from '../case.ts';
import { admitted, type Given, indeterminate, limited, times, traceOf } from '../testing/traces.ts';
import { answerRules } from './answer-rules.ts';

/** All that one answer proves by itself, as `clause: reason`. */
function provedBy(exchange: Exchange, others: readonly Exchange[] = []): readonly string[] {
  const subject = caseOf(traceOf([...others, exchange]));
  return Object.entries(answerRules).flatMap(([clause, rules]) =>
    Object.entries(rules)
      .filter(([, rule]) => rule(exchange, subject))
      .map(([reason]) => `${clause}: ${reason}`),
  );
}

const ok = (given: Given = {}) => admitted(0, 5, given);
const error = { code: 'rate_limit_exceeded', message: 'Too many requests.', retry_after_seconds: 5 };
const on429 = (body: unknown, given: Given = {}) =>
  limited(0, 5, { body: typeof body === 'string' ? body : JSON.stringify(body), ...given });
const saying = (changes: object) => on429({ success: false, error: { ...error, ...changes } });
const other = (body: unknown, given: Given = {}) =>
  admitted(0, 5, {
    status: 404,
    outcome: 'refused',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...given,
  });
const notFound = { success: false, error: { code: 'not_found', message: 'No such message.' } };
const keyless: Given = { key: null, credential: 'absent', limit: null, remaining: null, reset: null };
const bare: Given = { limit: null, remaining: null, reset: null };

describe('an answer that keeps to the document proves nothing', () => {
  it.each<readonly [string, Exchange]>([
    ['a 200', ok()],
    ['a 429', on429({ success: false, error })],
    ['a 404', other(notFound)],
    ['a Reset with a fraction', ok({ reset: '1760000040.5' })],
    ['the limit of another scope', ok({ scope: 'messages', limit: '300' })],
    ['a 401 without headers to a request without a key', other(notFound, { ...keyless, status: 401 })],
    ['a 429 to one', on429({ success: false, error }, keyless)],
    ['no answer', indeterminate(0, bare)],
    ['a 503 of another layer', other('<html>', { ...bare, status: 503 })],
    ['a 413 of a proxy', other('<html>', { ...bare, status: 413 })],
    ['a redirect', other('', { status: 399 })],
    ['the shortest wait', saying({ retry_after_seconds: 1 })],
    [
      'a body of which some is missing, whatever the rest says',
      on429('{"success":false,"error":{"retry_after_seconds":5.0}}', { bodyState: 'partial' }),
    ],
    ['no longer wait than is needed', saying({ retry_after_seconds: 62 })],
    ['fields beyond the documented ones', on429({ success: false, error: { ...error, more: 1 }, at: 2 })],
    ['another JSON', on429({ success: false, error }, { contentType: 'application/problem+json; a=b' })],
    ['JSON in capitals', on429({ success: false, error }, { contentType: 'Application/JSON' })],
    ['a 429 to a HEAD', on429('', { method: 'HEAD', contentType: null })],
    ['a body that broke off', on429('{"succ', { bodyState: 'partial' })],
    ['that of another error', other('<html', { bodyState: 'partial' })],
    ['nor does one to a HEAD', other('', { method: 'HEAD' })],
  ])('%s', (_what, exchange) => {
    expect(provedBy(exchange)).toEqual([]);
  });

  it('nor does one of a ban', () => {
    const banned = (at: number) =>
      admitted(10_000 + at, 10_005 + at, { ...bare, status: 400, outcome: 'refused', body: 'no' });
    const before = [admitted(0, 5), admitted(1_000, 1_005, { ...keyless, status: 401, outcome: 'refused' })];
    expect(provedBy(banned(0))).toEqual(['headers.present: missing-on-error', 'error.other-shape: not-json']);
    expect(provedBy(banned(0), [...before, ...times(9, (at) => banned(at + 1))])).toEqual([]);
  });
});

describe('one answer proves, by its headers,', () => {
  it.each<readonly [Exchange, readonly string[]]>([
    [ok({ remaining: null }), ['headers.present: missing-on-success']],
    [ok(bare), ['headers.present: missing-on-success']],
    [on429({ success: false, error }, { limit: null }), ['headers.present: missing-on-429']],
    [other(notFound, { reset: null }), ['headers.present: missing-on-error']],
    [other(notFound, { reset: null, status: 413 }), ['headers.present: missing-on-error']],
    [ok({ limit: 'many' }), ['headers.limit: not-an-integer']],
    [ok({ limit: '31' }), ['headers.limit: wrong-limit']],
    [ok({ limit: '30', scope: 'messages' }), ['headers.limit: wrong-limit']],
    [ok({ remaining: '-1' }), ['headers.remaining: not-an-integer']],
    [ok({ reset: 'soon' }), ['headers.reset: not-an-integer']],
  ])('%#: $1', (exchange, proved) => {
    expect(provedBy(exchange)).toEqual(proved);
    const unkeyed = { ...exchange, key: null, credential: 'unknown' } as const;
    expect(provedBy(unkeyed).filter((one) => one.startsWith('headers.'))).toEqual([]);
  });
});

describe('one answer proves, by the body of a 429,', () => {
  const shape = (reason: string) => [`error.shape: ${reason}`];

  it.each<readonly [unknown, readonly string[]]>([
    ['', shape('not-json')],
    ['Too many requests.', shape('not-json')],
    [{ error }, shape('no-success')],
    ['7', shape('no-success')],
    [{ success: 'false', error }, shape('success-not-false')],
    [{ success: true, error }, shape('success-not-false')],
    [{ success: null, error }, shape('success-not-false')],
    [{ success: false }, shape('no-error-object')],
    [{ success: false, error: 'a' }, shape('no-error-object')],
    [
      { success: false, error: [] },
      [
        ...shape('no-error-object'),
        'error.code: absent',
        'error.message: absent',
        'error.retry-after: absent',
      ],
    ],
  ])('%j: %j', (body, proved) => {
    expect(provedBy(on429(body))).toEqual(proved);
    expect(provedBy(on429(body, { status: 403, outcome: 'refused' }))).not.toEqual(proved);
  });

  it.each<readonly [object, readonly string[]]>([
    [{ code: undefined }, ['error.code: absent']],
    [{ code: 'too_many' }, ['error.code: wrong-code']],
    [{ code: 7 }, ['error.code: wrong-code']],
    [{ message: undefined }, ['error.message: absent']],
    [{ message: { en: 'a' } }, ['error.message: not-a-string']],
    [{ message: '' }, ['error.message-text: empty']],
    [{ message: ' \n' }, ['error.message-text: empty']],
    [{ retry_after_seconds: undefined }, ['error.retry-after: absent']],
    [{ retry_after_seconds: '5' }, ['error.retry-after: not-an-integer']],
    [{ retry_after_seconds: null }, ['error.retry-after: not-an-integer']],
    [{ retry_after_seconds: 5.5 }, ['error.retry-after: not-an-integer']],
    [{ retry_after_seconds: 0 }, ['error.retry-after: zero']],
    [{ retry_after_seconds: -5 }, ['error.retry-after: zero']],
    [{ retry_after_seconds: 63 }, ['error.retry-after-length: longer-than-needed']],
    [{ retry_after_seconds: 120 }, ['error.retry-after-length: longer-than-needed']],
    [
      { retry_after_seconds: 121 },
      ['error.retry-after: too-long', 'error.retry-after-length: longer-than-needed'],
    ],
    [
      { retry_after_seconds: 120.5 },
      ['error.retry-after: not-an-integer', 'error.retry-after-length: longer-than-needed'],
    ],
  ])('%j: %j', (changes, proved) => {
    expect(provedBy(saying(changes))).toEqual(proved);
  });

  it.each([
    ['5.0', ['error.retry-after: not-an-integer']],
    ['5e0', ['error.retry-after: not-an-integer']],
    ['5', []],
    ['-5', ['error.retry-after: zero']],
  ])('a whole number written as %s: %j', (text, proved) => {
    const body = JSON.stringify({ success: false, error }).replace(':5}', `:${text}}`);
    expect(provedBy(on429(body))).toEqual(proved);
  });

  it('a wait that is long in a window of a second', () => {
    const subject = caseOf(traceOf([saying({ retry_after_seconds: 4 })], { windowMs: 1_000 }));
    const rules = answerRules['error.retry-after'] ?? {};
    expect(rules['too-long']?.(saying({ retry_after_seconds: 4 }), subject)).toBe(true);
    expect(rules['too-long']?.(saying({ retry_after_seconds: 3 }), subject)).toBe(false);
  });

  it.each([null, 'text/plain', 'application/jsonp', 'text/application/json', 'application/'])(
    'another content type: %s',
    (contentType) => {
      const exchange = on429({ success: false, error }, { contentType });
      expect(provedBy(exchange)).toEqual(['error.content-type: not-json']);
    },
  );
});

describe('one answer proves, by the body of another error,', () => {
  const shape = (reason: string) => [`error.other-shape: ${reason}`];

  it.each<readonly [unknown, readonly string[]]>([
    ['<html>', shape('not-json')],
    [{ error: notFound.error }, shape('no-success')],
    [{ ...notFound, success: 0 }, shape('success-not-false')],
    [{ success: false, error: ['a'] }, shape('no-error-object')],
    [{ success: false, error: null }, shape('no-error-object')],
    [{ success: true, error: {} }, shape('success-not-false')],
    [{ success: true, error: { code: 'a' } }, shape('success-not-false')],
    [{ success: false, error: {} }, shape('no-code')],
    [{ success: false, error: { message: 'a' } }, shape('no-code')],
    [{ success: false, error: { code: 7, message: 'a' } }, shape('no-code')],
    [{ success: false, error: { code: 'a' } }, shape('no-message')],
    [{ success: false, error: { code: 'a', message: 7 } }, shape('no-message')],
  ])('%j: %j', (body, proved) => {
    expect(provedBy(other(body))).toEqual(proved);
    expect(provedBy(other(body, { status: 400 }))).toEqual(proved);
    expect(provedBy(other(body, { ...keyless, status: 401 }))).toEqual(proved);
    expect(provedBy(on429(body, keyless))).toEqual(proved);
    expect(provedBy(on429(body)).filter((one) => one.startsWith('error.other'))).toEqual([]);
  });

  it('that it is about the limit, though it is no 429', () => {
    const exchange = other({ success: false, error }, { status: 503 });
    expect(provedBy(exchange)).toEqual(['error.status: not-429']);
    expect(provedBy(other({ success: false, error }))).toEqual(['error.status: not-429']);
    // The document gives whoever sends no valid key no limit, so it has no word for it either.
    expect(provedBy(other({ success: false, error }, { ...keyless, status: 403 }))).toEqual([]);
  });
});

it('one answer proves that a request without a valid key was admitted', () => {
  for (const credential of ['absent', 'malformed', 'unknown'] as const)
    expect(provedBy(ok({ ...keyless, credential }))).toEqual(['auth.bearer: admitted-without-key']);
});
