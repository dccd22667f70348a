import { describe, expect, test } from 'vitest';
import { contradictionIn, contradictionsTo, type FirstLine } from './contradictions.ts';
import { deploymentSchema } from './deployment.ts';
import { documentSchema } from './document/document.ts';
import type { Exchange } from './exchange.ts';

const startedAtMs = Date.UTC(2026, 0, 1);

const header: FirstLine = {
  startedAt: new Date(startedAtMs).toISOString(),
  windowMs: 60_000,
  limits: { standard: 120, messages: 300, media: 30 },
  deployment: deploymentSchema.parse({ baseUrls: ['http://127.0.0.1:1'], keyEnv: ['A'] }),
  clocks: [
    { id: 'steady', kind: 'monotonic' },
    { id: 'k6', kind: 'wall' },
  ],
};

test('what an answer is, the request says by how it is answered where it passes', () => {
  const standard = { path: '/v1/status', answered: 422 };
  const settings = { baseUrls: ['http://127.0.0.1:1'], keyEnv: ['A'], requests: { standard } };
  const contradictionOf = contradictionsTo({ ...header, deployment: deploymentSchema.parse(settings) });
  const answered: Exchange = { ...admitted, scope: 'standard', status: 422 };
  expect(contradictionOf(answered)).toBeNull();
  expect(contradictionOf({ ...answered, outcome: 'refused' })).toBe(
    'has the outcome "refused", but a status of 422 makes it "admitted"',
  );
  expect(contradictionOf({ ...answered, scope: 'media' })).toBe(
    'has the outcome "admitted", but a status of 422 makes it "refused"',
  );
});

describe('the first line', () => {
  test('contradicts itself nowhere', () => {
    expect(contradictionIn(header)).toBeNull();
  });

  test('may say its window with fewer digits', () => {
    const deployment = { ...header.deployment, windowSeconds: 0.1 + 0.2 };
    expect(contradictionIn({ ...header, windowMs: 300, deployment })).toBeNull();
    const longer = { ...header.deployment, windowSeconds: 1_000 };
    expect(contradictionIn({ ...header, windowMs: 1_001_000, deployment: longer })).toBeNull();
  });

  test.each([
    [
      'a window in seconds',
      { windowMs: 60 },
      'has the windowMs 60, but its deployment the windowSeconds 60: they are the same window',
    ],
    [
      'a scope without a limit',
      { limits: { standard: 120, messages: 300 } },
      'has no limit of the scope "media", which its document has: limits has one for each scope',
    ],
    [
      'a limit of another scope',
      { limits: { ...header.limits, items: 5 } },
      'has a limit of the scope "items", but its document has standard, messages and media',
    ],
  ])('contradicts itself by %s', (_what, change, says) => {
    expect(contradictionIn({ ...header, ...change })).toBe(says);
  });
});

const { MAX_SAFE_INTEGER } = Number;

const admitted: Exchange = {
  ...{ kind: 'exchange', index: 0, driver: 'undici', clock: 'steady', scope: 'media', route: 'main' },
  ...{ key: 'A', credential: 'valid', node: 0, purpose: 'test', requestId: 'r-0', method: 'GET', path: '/' },
  ...{ sentMs: startedAtMs, receivedMs: startedAtMs + 5, wallSentMs: null, wallReceivedMs: null },
  ...{ status: 200, headers: { limit: null, remaining: null, reset: null }, retryAfter: null, date: null },
  ...{ contentType: null, body: null, failure: null, outcome: 'admitted' },
};
const noAnswer = { status: null, receivedMs: null, outcome: 'indeterminate' } as const;

const yearMs = 366 * 86_400_000;

describe('an exchange', () => {
  test.each<[what: string, change: Partial<Exchange>]>([
    ['an answer', {}],
    ['an answer at once', { receivedMs: startedAtMs }],
    ['no answer', noAnswer],
    ['a refusal', { status: 429, outcome: 'limited' }],
    ['a redirect', { status: 302, outcome: 'refused' }],
    ['a status that HTTP does not have', { status: 999, outcome: 'refused' }],
    ['the least status', { status: 100, outcome: 'refused' }],
    ['a key that the first line does not list', { key: 'L1' }],
    ['a cost where its document says none', { cost: 7 }],
    ['no key', { key: null, credential: 'absent' }],
    ['a wall clock that was set back before the answer', { clock: 'k6', receivedMs: startedAtMs - 5 }],
    ['a year after the run began', { sentMs: startedAtMs + yearMs, receivedMs: startedAtMs + yearMs }],
  ])('contradicts nothing by %s', (_what, change) => {
    expect(contradictionsTo(header)({ ...admitted, ...change })).toBeNull();
  });

  test.each<[what: string, change: Partial<Exchange>, says: string]>([
    [
      'a scope without a limit',
      { scope: 'uploads' },
      'has the scope "uploads", but the first line has limits of standard, messages and media',
    ],
    [
      'a scope whose name every object knows',
      { scope: 'constructor' },
      'has the scope "constructor", but the first line has limits of standard, messages and media',
    ],
    ['a clock of no line', { clock: 'other' }, 'has the clock "other", but the first line has steady and k6'],
    ['a node too many', { node: 1 }, 'has the node 1, but the last of baseUrls is 0, counted from 0'],
    [
      'a valid credential without a key',
      { key: null },
      'has the credential "valid" and no key: a key stands where a valid one was sent, and there alone',
    ],
    [
      'a key that was not sent',
      { credential: 'absent' },
      'has the credential "absent" and the key "A": a key stands where a valid one was sent, and there alone',
    ],
    [
      'a key that is named as several keys together',
      { key: 'A+B' },
      'has the key "A+B": "+" stands between keys that are counted together, and in the name of none',
    ],
    [
      'an answer before the request',
      { receivedMs: startedAtMs - 12.5 },
      'was received 12.5 ms before it was sent, by a clock that never steps',
    ],
    [
      'seconds since 1970',
      { sentMs: 1_767_225_600, receivedMs: 1_767_225_601 },
      'has the sentMs 1767225600, more than a year from the startedAt 2026-01-01T00:00:00.000Z: sentMs is in ms since 1970',
    ],
    [
      'microseconds since 1970',
      { sentMs: startedAtMs * 1_000, receivedMs: MAX_SAFE_INTEGER },
      'has the sentMs 1767225600000000, more than a year from the startedAt 2026-01-01T00:00:00.000Z: sentMs is in ms since 1970',
    ],
    [
      'seconds by a wall clock',
      { clock: 'k6', sentMs: 1_767_225_600, receivedMs: 1_767_225_601 },
      'has the sentMs 1767225600, more than a year from the startedAt 2026-01-01T00:00:00.000Z: sentMs is in ms since 1970',
    ],
    [
      'a status that says there was none',
      { status: 0, outcome: 'refused' },
      'has the status 0: without an answer, status and receivedMs are null',
    ],
    [
      'a status of four digits',
      { status: 2_000, outcome: 'refused' },
      'has the status 2000: without an answer, status and receivedMs are null',
    ],
    [
      'a status that nothing was received with',
      { receivedMs: null },
      'has the status 200 and the receivedMs null: without an answer both are null',
    ],
    [
      'an outcome of no answer',
      { outcome: 'indeterminate' },
      'has the outcome "indeterminate", but a status of 200 makes it "admitted"',
    ],
    [
      'a refusal that is called admitted',
      { status: 429 },
      'has the outcome "admitted", but a status of 429 makes it "limited"',
    ],
    [
      'no answer that is called refused',
      { ...noAnswer, outcome: 'refused' },
      'has the outcome "refused", but without an answer it is "indeterminate"',
    ],
  ])('is contradicted by %s', (_what, change, says) => {
    expect(contradictionsTo(header)({ ...admitted, ...change })).toBe(says);
  });

  test('may have a moment years off by a wall clock that was set after the first one', () => {
    const contradictionOf = contradictionsTo(header);
    expect(contradictionOf({ ...admitted, clock: 'k6' })).toBeNull();
    expect(contradictionOf({ ...admitted, clock: 'k6', sentMs: 0 })).toBeNull();
    expect(contradictionOf({ ...admitted, sentMs: 0 })).toContain('more than a year');
  });

  test('is limited by the statuses of its document', () => {
    const document = documentSchema.parse({
      ...{ version: 1, title: 'items', windowSeconds: 60, headers: 'none', errors: 'none' },
      refusal: { status: 503 },
      scopes: { items: { title: 'items', limit: 5 } },
    });
    const contradictionOf = contradictionsTo({
      ...header,
      limits: { items: 5 },
      deployment: { ...header.deployment, document },
    });
    const refused = { ...admitted, scope: 'items', status: 503 };
    expect(contradictionOf({ ...refused, outcome: 'limited' })).toBeNull();
    expect(contradictionOf({ ...refused, outcome: 'refused' })).toBe(
      'has the outcome "refused", but a status of 503 makes it "limited"',
    );
  });

  test('costs what its document says of its scope', () => {
    const document = documentSchema.parse({
      ...{ version: 1, title: 'items', windowSeconds: 60, headers: 'none', errors: 'none' },
      scopes: {
        items: {
          ...{ title: 'items', limit: 50, paths: ['/items'], cost: 5 },
          others: [{ request: { method: 'GET', path: '/items/all' }, cost: 20 }],
        },
        rest: { title: 'all else', limit: 50 },
      },
    });
    const contradictionOf = contradictionsTo({
      ...header,
      limits: { items: 50, rest: 50 },
      deployment: { ...header.deployment, document },
    });
    const said = (scope: string, cost: number) => contradictionOf({ ...admitted, scope, cost });
    expect([said('items', 5), said('items', 20), contradictionOf({ ...admitted, scope: 'items' })]).toEqual([
      ...[null, null, null],
    ]);
    expect(said('items', 6)).toBe('has the cost 6, but by its document requests of "items" cost 5 and 20');
    expect(said('rest', 5)).toBe('has the cost 5, but by its document requests of "rest" cost 1');
  });
});
