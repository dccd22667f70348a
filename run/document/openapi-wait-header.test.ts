import { expect, it, test } from 'vitest';
import { refusalSchema } from '../../contract/document/refusal.ts';
import type { Node } from './openapi.ts';
import { waitHeaderOf } from './openapi-wait-header.ts';
import { described } from './testing/described.ts';

const api = described({ openapi: '3.1.0' });

const waitIn = (...each: readonly Node[]) =>
  waitHeaderOf(
    api,
    each.map((headers) => ({ headers })),
  );

const integer = { schema: { type: 'integer' } };

it.each<readonly [string, Node, unknown]>([
  ['Retry-After', integer, 'seconds'],
  ['retry-after', { schema: { type: 'string' }, example: '30' }, 'seconds'],
  ['Retry-After', { schema: { type: 'number' } }, 'decimal'],
  ['Retry-After', { example: 'Wed, 21 Oct 2026 07:28:00 GMT' }, 'date'],
  ['retry-after-ms', integer, { name: 'retry-after-ms', as: 'ms' }],
  [
    'X-Retry-After',
    { ...integer, description: 'Seconds to wait.' },
    { name: 'X-Retry-After', as: 'seconds' },
  ],
  ['X-Retry-After', { ...integer, description: 'In milliseconds.' }, { name: 'X-Retry-After', as: 'ms' }],
  ['X-Retry-After', { example: '1m30s' }, { name: 'X-Retry-After', as: 'duration' }],
  ['X-Retry-In', { schema: { type: 'string', format: 'date-time' } }, { name: 'X-Retry-In', as: 'date' }],
  [
    'X-Acme-RateLimit-Retry-After-Seconds',
    integer,
    { name: 'X-Acme-RateLimit-Retry-After-Seconds', as: 'seconds' },
  ],
])('%s, as %j, is how a refusal says the wait', (name, header, retryAfter) => {
  const found = waitIn({ [name]: header });
  expect(found).toEqual({
    retryAfter,
    todo: `${name} is defined, and not required: does each refusal carry it?`,
  });
  expect(refusalSchema.safeParse({ retryAfter: found?.retryAfter }).success).toBe(true);
  expect(waitIn({ [name]: { ...header, required: true } })?.todo).toBeUndefined();
  // Where others lack it, not every refusal carries it.
  expect(waitIn({ [name]: { ...header, required: true } }, {})?.todo).toBeDefined();
});

it.each<readonly [string, Node, string]>([
  ['Retry-After', {}, 'add retryAfter: FORM, one of seconds, date'],
  ['Retry-After', { schema: { type: 'string' } }, 'add retryAfter: FORM'],
  ['Retry-After', { ...integer, description: 'Milliseconds.' }, 'add retryAfter: FORM'],
  ['X-Retry-After', integer, 'add retryAfter: { name: X-Retry-After, as: FORM }'],
  ['X-Retry-After', { examples: { a: { value: 3 }, b: { value: '1m' } } }, 'as: FORM }'],
  ['Retry-After', { description: 'Seconds, or an HTTP-date.', example: 3 }, 'add retryAfter: FORM'],
])('%s, as %j, does not say how it is written, which is to do', (name, header, todo) => {
  expect(waitIn({ [name]: header })).toEqual({ todo: expect.stringContaining(todo) });
});

test('two descriptions that differ are to do, and the usual header is taken before others', () => {
  expect(
    waitIn({ 'Retry-After': integer }, { 'Retry-After': { example: '1.5' } })?.retryAfter,
  ).toBeUndefined();
  const both = { 'retry-after-ms': integer, 'Retry-After': integer };
  expect(waitIn(both)?.retryAfter).toBe('seconds');
});

it.each(['X-RateLimit-Reset', 'Retries', 'X-Retry-After-Count', 'Retry-Policy'])('%s is no wait', (name) => {
  expect(waitIn({ [name]: integer })).toBeNull();
});
