import { describe, expect, it, test } from 'vitest';
import { announcedSeconds, bodyOf, errorField, fieldOf, parseBody, rateLimitCode } from './error-body.ts';
import type { Exchange } from './exchange.ts';

function exchange(body: string | null, changes: Partial<Exchange> = {}): Exchange {
  return { method: 'GET', body, ...changes } as Exchange;
}

test.each([
  [null, 'the body is empty'],
  ['', 'the body is empty'],
  ['<!DOCTYPE html><p>', 'the body is HTML'],
  [' \n<html lang="en">', 'the body is HTML'],
  ['a <html>', 'the body is not JSON'],
  ['Too many requests.', 'the body is not JSON'],
])('%j is no JSON, and it is said why', (raw, why) => {
  expect(parseBody(raw)).toEqual({ kind: 'not-json', why });
});

test.each([
  ['{"error":{"code":"x"}}', 'x'],
  ['{"error":{}}', undefined],
  ['{"error":null}', undefined],
  ['{"error":"a text has a length, and no code"}', undefined],
  ['[]', undefined],
  ['null', undefined],
  ['no JSON', undefined],
])('the code in %s is %s', (raw, code) => {
  expect(fieldOf(parseBody(raw), 'error', 'code')).toBe(code);
  expect(errorField(exchange(raw), 'code')).toBe(code);
});

test('the code of a 429 is the documented one', () => {
  expect(rateLimitCode).toBe('rate_limit_exceeded');
});

test('what a text is made of is no field of it', () => {
  expect(fieldOf(parseBody('{"error":"four"}'), 'error', 'length')).toBeUndefined();
});

describe('a body that may not be whole', () => {
  const long = `{"a":"${'x'.repeat(3_000)}`;

  it.each<readonly [string | null, Partial<Exchange>, string]>([
    ['{}', { bodyState: 'whole' }, 'json'],
    ['{"a"', { bodyState: 'whole' }, 'not-json'],
    ['{}', { bodyState: 'partial' }, 'ended-early'],
    ['<p>', { bodyState: 'partial' }, 'ended-early'],
    ['{}', { bodyState: 'until-close' }, 'json'],
    ['{"a"', { bodyState: 'until-close' }, 'ended-early'],
    [null, { bodyState: 'until-close' }, 'ended-early'],
    ['<p>', { bodyState: 'until-close' }, 'not-json'],
    ['{"a"', { bodyState: 'beyond-bound' }, 'too-long'],
    ['<p>', { bodyState: 'beyond-bound' }, 'not-json'],
    // Traces of before bodies were marked cut each after 2,048 characters.
    [long.slice(0, 2_047), {}, 'not-json'],
    [long.slice(0, 2_048), {}, 'too-long'],
    [`<p>${long}`, {}, 'not-json'],
    [null, {}, 'not-json'],
    ['{}', { method: 'HEAD' }, 'answers-head'],
  ])('is left out where nothing can be said of it: %#', (body, changes, expected) => {
    const found = bodyOf(exchange(body, changes));
    expect(found.kind === 'left-out' ? found.why : found.kind).toBe(expected);
  });

  it.each(['', '  ', '\t{', '\r\n[', '"a', '-', '0.', '9.', 't', 'f', 'n'])('may become JSON: %j', (body) => {
    expect(bodyOf(exchange(body, { bodyState: 'until-close' })).kind).toBe('left-out');
  });

  it.each(['<', ' <', '+1', 'a', 'T', '}', "\n'", '\u00a0{', '/', ':'])('becomes none: %j', (body) => {
    expect(bodyOf(exchange(body, { bodyState: 'until-close' })).kind).toBe('not-json');
  });

  it('is parsed once', () => {
    const one = exchange('{}');
    expect(bodyOf(one)).toBe(bodyOf(one));
  });
});

test.each([
  ['5', 5],
  ['1', 1],
  ['0', null],
  ['-1', null],
  ['1.5', null],
  ['"5"', null],
  ['null', null],
])('a retry_after_seconds of %s announces %s s', (value, seconds) => {
  expect(announcedSeconds(exchange(`{"error":{"retry_after_seconds":${value}}}`))).toBe(seconds);
});
