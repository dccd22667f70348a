import { describe, expect, test } from 'vitest';
import type { ClauseId } from '../contract/clauses/registry.ts';
import type { Exchange } from '../contract/exchange.ts';
import { notRun } from '../contract/verdict.ts';
import { judgeTrace } from './judge-trace.ts';
import { admitted, type Given, limited, times, traceOf } from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';
import { serverOf } from './why-open.ts';

function verdictOf(clause: ClauseId, exchanges: readonly Exchange[]) {
  return verdictOn(clause, traceOf(exchanges));
}

const bare = { limit: null, remaining: null, reset: null } as const;
const refusal: Given = {
  ...bare,
  status: 401,
  body: '{"success":false,"error":{"code":"unauthorized","message":"No."}}',
};
const page: Given = {
  ...bare,
  contentType: 'text/html',
  body: '<html>\r\n<body>\r\n<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>',
};

const answer = (atMs: number, given: Given = {}): Exchange => admitted(atMs, atMs + 5, given);
const open = (reason: unknown) => ({ kind: 'inconclusive', reason, because: [] });

describe('a key that is not taken', () => {
  test('says nothing about headers from the moment on at which it is revoked', () => {
    const revoked = [
      ...times(10, (at) => answer(100 * at, { remaining: String(29 - at) })),
      ...times(1_411, (at) => answer(12_000 + at, refusal)),
    ];
    expect(verdictOf('headers.present', revoked)).toMatchObject({
      kind: 'held',
      summary: 'all three on 10 answers; 1,411 that do not take the key are not judged',
    });
    expect(verdictOf('limits.media', revoked)).toEqual(
      open(
        'key A is refused since +12.0 s (401 to 1,411 requests); the limit of media was not reached twice, one window apart',
      ),
    );
  });

  test.each<readonly [string, readonly Exchange[], string]>([
    [
      'refused from the first request on',
      [answer(0), answer(10, { ...refusal, key: 'B' })],
      'key B is refused (401 to 1 request)',
    ],
    [
      'several alike',
      ['C', 'D', 'E', 'F', 'G'].map((key) => answer(0, { ...refusal, key })),
      'keys C, D, E, F and 1 more are refused (401 to 5 requests)',
    ],
    [
      'four alike',
      ['C', 'D', 'E', 'F'].map((key) => answer(0, { ...refusal, key })),
      'keys C, D, E, F are refused (401 to 4 requests)',
    ],
    [
      'sent elsewhere and refused',
      [answer(0, { ...bare, status: 302 }), answer(10, refusal)],
      'key A is refused (302, 401 to 2 requests)',
    ],
    [
      'sent elsewhere',
      [answer(0), answer(2_000, { ...bare, status: 302 })],
      'key A is redirected since +2.0 s (302 to 1 request)',
    ],
  ])('%s is named', (_how, exchanges, text) => {
    expect(verdictOf('limits.media', exchanges)).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringContaining(text),
    });
    expect(verdictOf('headers.present', exchanges)?.kind).not.toBe('violated');
  });

  test('leaves headers open where none is taken', () => {
    const reason = 'key A is refused (401 to 2 requests); no request with a valid key was answered';
    const refused = times(2, () => answer(0, refusal));
    expect(verdictOf('headers.present', refused)).toEqual(open(reason));
    expect(verdictOf('headers.limit', refused)).toEqual(open(reason));
  });

  test.each([{ limit: '30' }, { remaining: '3' }, { reset: '1760000104' }])(
    'is judged where some of the headers are there: %o',
    (some) => {
      expect(verdictOf('headers.present', [answer(0), answer(10, { ...refusal, ...some })])).toMatchObject({
        kind: 'violated',
        reason: 'missing-on-error',
      });
    },
  );

  test('is taken where it is served later', () => {
    const between = [answer(0), answer(10, { ...refusal, status: 403 }), answer(20)];
    expect(verdictOf('headers.present', between)).toMatchObject({ reason: 'missing-on-error' });
    const atOnce = [answer(0), answer(10, refusal), answer(12)];
    expect(verdictOf('headers.present', atOnce)?.kind).toBe('held');
  });

  test.each([400, 404, 405, 409, 422])('a %i says nothing about the key', (status) => {
    expect(verdictOf('headers.present', [answer(0), answer(10, { ...refusal, status })])).toMatchObject({
      kind: 'violated',
      reason: 'missing-on-error',
    });
  });
});

describe('another layer', () => {
  test.each<readonly [number, Given, string]>([
    [403, page, 'another layer answers (server: nginx/1.22.1): 403 to 1 request'],
    [429, page, 'another layer answers (server: nginx/1.22.1): 429 to 1 request'],
    [413, page, 'another layer answers (server: nginx/1.22.1): 413 to 1 request'],
    [429, { ...page, server: 'cloudflare' }, 'another layer answers (server: cloudflare): 429 to 1 request'],
    [429, { ...page, body: '', method: 'HEAD' }, 'another layer answers: 429 to 1 request'],
    [429, { ...page, body: '<!DOCTYPE html><p>No.' }, 'another layer answers: 429 to 1 request'],
  ])('is named by its %i', (status, given, text) => {
    const seen = [answer(0, { remaining: '29' }), answer(61_300, { ...given, status })];
    for (const clause of ['limits.media', 'error.shape', 'error.status'] as const) {
      expect(verdictOf(clause, seen), clause).toMatchObject({
        kind: 'inconclusive',
        reason: expect.stringContaining(text),
      });
    }
    expect(verdictOf('headers.present', seen)?.kind).toBe('held');
    expect(verdictOf('error.other-codes', seen)).toMatchObject({
      value: expect.stringContaining(`${status} of another layer`),
    });
  });

  test.each<readonly [string, Given]>([
    ['a 500 may be the API’s own', { ...page, status: 500 }],
    ['a 502 may be the API’s own', { ...page, status: 502 }],
    ['what was sent without a valid key', { ...bare, status: 413, key: null, credential: 'absent' }],
  ])('is not named: %s', (_what, given) => {
    const reason = 'the limit of media was not reached twice, one window apart';
    expect(verdictOf('limits.media', [answer(0), answer(10, given)])).toEqual(open(reason));
  });

  test.each<readonly [string, Given]>([
    ['with a header of the API', { ...page, limit: '30' }],
    ['without a page', { ...page, body: 'Too many requests' }],
  ])('is not behind a 429 %s', (_how, given) => {
    const seen = [answer(0, { remaining: '29' }), limited(61_300, 61_305, given)];
    expect(verdictOf('limits.media', seen)).toMatchObject({ kind: 'violated', reason: 'wrongful-429' });
    expect(verdictOf('error.shape', seen)?.kind).toBe('violated');
  });

  test('is not behind a page for a request without a key, which need not have the headers', () => {
    const keyless = { ...page, status: 429, key: null, credential: 'absent' } as const;
    expect(verdictOf('error.other-shape', [answer(0), answer(10, keyless)])?.kind).toBe('violated');
  });
});

test('what another clause answers for, or no run was to show, is open for that reason all the same', () => {
  const shapeless = limited(0, 5, { body: '[]' });
  const refused = answer(10, { ...refusal, key: 'B' });
  const verdicts = judgeTrace(traceOf([shapeless, refused], { keys: ['A'] })).clauses;
  const of = (id: ClauseId) => verdicts.find(({ clause }) => clause === id)?.verdict;
  expect(of('error.code')).toMatchObject({
    reason: 'not judged: error.shape is violated',
    because: ['error.shape'],
  });
  expect(of('limits.per-key')).toEqual(notRun('needs a second key (--key-env A,B)'));
});

test('where the address was shut out, that is why', () => {
  const shut = [
    answer(0),
    answer(100, { ...bare, status: 401, key: null, credential: 'absent' }),
    ...times(8, (at) => answer(1_000 + at * 10, { ...bare, status: 403 })),
  ];
  expect(verdictOf('limits.media', shut)).toEqual(
    open(expect.stringMatching(/^8 requests with valid keys got 403 .* shut this address out/)),
  );
});

test.each<readonly [string | null, string | null]>([
  [' nginx/1.22.1 (Debian)', 'nginx/1.22.1'],
  ['(unnamed) proxy', null],
  [null, null],
  ['a'.repeat(50), 'a'.repeat(40)],
])('of %j only the name and the version of a server are said: %j', (server, expected) => {
  expect(serverOf(answer(0, { server }))).toBe(expected);
});
