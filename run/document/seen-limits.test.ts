import { describe, expect, test } from 'vitest';
import { type Look, seenLimits } from './seen-limits.ts';

/** A whole minute by the clock, s. */
const minute = 1_700_000_040;

/** Three answers: at once, and 2.5 s later, 50 s before a full minute. */
function answers(
  headersAt: (turn: number, atSeconds: number) => Readonly<Record<string, string>>,
): readonly Look[] {
  return [0, 0.01, 2.5].map((after, turn) => {
    const atSeconds = minute + 10 + after;
    return { status: 200, headers: headersAt(turn, atSeconds), receivedMs: atSeconds * 1_000 };
  });
}

type Row = readonly [style: string, looks: readonly Look[], expected: readonly object[]];

const concluded = { seconds: 60, by: 'concluded' };
const said = { seconds: 60, by: 'said' };

/** The three headers with a window of a minute that has begun with the first answer. */
function triple(prefix: string, resetAt: (toGo: number, atSeconds: number) => string): readonly Look[] {
  return answers((turn, at) => ({
    [`${prefix}limit`]: '100',
    [`${prefix}remaining`]: String(99 - turn),
    [`${prefix}reset`]: resetAt(minute + 70 - at, at),
  }));
}

type Bucket = {
  readonly limit: number;
  /** In how long it fills. */
  readonly windowSeconds: number;
  /** How its reset is written. */
  readonly resetOf: (toGoSeconds: number, atSeconds: number) => string;
};

/** A bucket that was full, and says when it will be full again. */
function ofBucket({ limit, windowSeconds, resetOf }: Bucket): readonly Look[] {
  const eachSeconds = windowSeconds / limit;
  let missing = 0;
  let before = 0;
  return answers((_, at) => {
    missing = Math.max(0, missing - (at - before) / eachSeconds) + 1;
    before = at;
    return {
      'acme-ratelimit-requests-limit': String(limit),
      'acme-ratelimit-requests-remaining': String(Math.floor(limit - missing)),
      'acme-ratelimit-requests-reset': resetOf(missing * eachSeconds, at),
    };
  });
}

describe('what headers say of limits', () => {
  test.each<Row>([
    ...['X-RateLimit-Used', 'X-RateLimit-Usage'].map(
      (name): Row => [
        name,
        answers((turn) => ({
          'x-ratelimit-limit': '100,900',
          [name.toLowerCase()]: `${turn + 1},${turn + 30}`,
        })),
        [
          {
            own: {
              limit: { name: 'X-RateLimit-Limit', as: 'list' },
              remaining: { name, as: 'used' },
              reset: null,
            },
            names: ['X-RateLimit-Limit', name],
            limit: 100,
          },
        ],
      ],
    ),
    [
      'how many were used of how many',
      answers((turn) => ({
        'x-acme-api-call-limit': `${turn + 1}/40`,
        'x-page': '1/9',
        'x-concurrency-limit': '1/8',
      })),
      [
        {
          own: {
            limit: null,
            remaining: { name: 'X-Acme-Api-Call-Limit', as: 'used-of-limit' },
            reset: null,
          },
          names: ['X-Acme-Api-Call-Limit'],
          limit: 40,
        },
      ],
    ],
    [
      'one header with keys, of two windows',
      answers((turn) => ({
        'x-rate-limit': `user-hour-lim:3500;user-hour-rem:${3_499 - turn};user-minute-lim:60;user-minute-rem:${59 - turn};`,
        'x-token-limit': 'tokens-lim:9',
      })),
      [
        {
          own: {
            limit: { name: 'X-Rate-Limit', key: 'user-minute-lim' },
            remaining: { name: 'X-Rate-Limit', key: 'user-minute-rem' },
            reset: null,
          },
          limit: 60,
          window: said,
        },
        { names: ['X-Rate-Limit'], limit: 3_500, window: { seconds: 3_600, by: 'said' } },
      ],
    ],
    [
      'one header with keys and a reset',
      answers((turn) => ({
        'acme-ratelimit-tickets': `total=100; remaining=${99 - turn}; resets=${59 - Math.floor(1.25 * turn)}`,
      })),
      [
        {
          own: {
            limit: { name: 'Acme-RateLimit-Tickets', key: 'total' },
            remaining: { name: 'Acme-RateLimit-Tickets', key: 'remaining' },
            reset: { name: 'Acme-RateLimit-Tickets', key: 'resets' },
          },
          resetUnit: 'seconds',
          limit: 100,
        },
      ],
    ],
    [
      'one header of JSON',
      answers((turn) => ({
        'x-ratelimit': `{"name":"ALL","limit":1000,"remaining":${999 - turn},"until":"2023-11-14T22:15:00Z"}`,
      })),
      [
        {
          own: {
            limit: { name: 'X-RateLimit', key: 'limit' },
            remaining: { name: 'X-RateLimit', key: 'remaining' },
            reset: { name: 'X-RateLimit', key: 'until' },
          },
          resetUnit: 'date',
          limit: 1000,
        },
      ],
    ],
    [
      'what was used of how many at a key',
      answers((turn) => ({ 'acme-limit-info': `api-usage=${turn + 1}/5000; per-app=x` })),
      [
        {
          own: {
            limit: null,
            remaining: { name: 'Acme-Limit-Info', key: 'api-usage', as: 'used-of-limit' },
            reset: null,
          },
          limit: 5000,
        },
      ],
    ],
    [
      'what remains, beside what was used',
      answers((turn) => ({
        'x-ratelimit-limit': '100',
        'x-ratelimit-remaining': String(99 - turn),
        'x-ratelimit-used': String(turn + 1),
        'x-other-limit': '1/40',
      })),
      [{ own: { limit: 'X-RateLimit-Limit', remaining: 'X-RateLimit-Remaining', reset: null }, limit: 100 }],
    ],
    [
      'seconds since 1970',
      triple('x-ratelimit-', (toGo, at) => String(Math.ceil(at + toGo))),
      [{ limit: 100, window: concluded, resetUnit: 'epoch-seconds', triple: 'x-ratelimit-', isOnAll: true }],
    ],
    [
      'ms since 1970',
      triple('x-rate-limit-', (toGo, at) => String(Math.round((at + toGo) * 1_000))),
      [{ limit: 100, window: concluded, resetUnit: 'epoch-ms', triple: 'x-rate-limit-' }],
    ],
    [
      'seconds to go',
      triple('ratelimit-', (toGo) => String(Math.ceil(toGo))),
      [{ window: concluded, resetUnit: 'seconds', triple: 'ratelimit-' }],
    ],
    [
      'ms to go',
      triple('x-ratelimit-', (toGo) => String(Math.round(toGo * 1_000))),
      [{ window: concluded, resetUnit: 'ms' }],
    ],
    [
      'a duration',
      triple('x-ratelimit-', (toGo) => `${Math.floor(toGo / 60)}m${(toGo % 60).toFixed(3)}s`),
      [{ window: concluded, resetUnit: 'duration' }],
    ],
    [
      'a date',
      triple('x-rate-limit-', (toGo, at) => new Date((at + toGo) * 1_000).toUTCString()),
      [{ window: concluded, resetUnit: 'date' }],
    ],
    [
      'a policy beside three headers',
      answers(() => ({
        'ratelimit-limit': '100',
        'ratelimit-remaining': '99',
        'ratelimit-reset': '3',
        'ratelimit-policy': '100;w=60',
      })),
      [{ limit: 100, window: said, resetUnit: 'seconds' }],
    ],
    [
      'a policy in the limit',
      answers(() => ({ 'ratelimit-limit': '100, 100;w=60', 'ratelimit-remaining': '99' })),
      [
        {
          ...{ limit: 100, window: said },
          own: { limit: { name: 'RateLimit-Limit', as: 'list' }, remaining: 'RateLimit-Remaining' },
        },
      ],
    ],
    [
      'a length in the place of the limit',
      answers(() => ({
        'x-rate-limit-limit': '1m',
        'x-rate-limit-remaining': '99.0',
        'x-rate-limit-reset': '2023-11-14T22:14:55.0000000Z',
      })),
      [
        {
          ...{ limit: null, window: said, resetUnit: 'date' },
          own: {
            limit: null,
            remaining: { name: 'X-Rate-Limit-Remaining', as: 'list' },
            reset: 'X-Rate-Limit-Reset',
          },
        },
      ],
    ],
    [
      'one header with names',
      answers(() => ({ ratelimit: 'limit=100, remaining=99, reset=60', 'ratelimit-policy': '100;w=60' })),
      [{ limit: 100, window: said, resetUnit: 'seconds', triple: null, fields: 'ietf-draft-7' }],
    ],
    [
      'structured fields, with two policies',
      answers(() => ({
        ratelimit: '"day";r=900;t=86000, "a,b";r=9;t=60',
        'ratelimit-policy': '"day";q=1000;w=86400, "a,b";q=10;w=60;pk=:cHsdsRa894==:',
      })),
      [
        { limit: 10, window: said, fields: 'ietf' },
        { limit: 1_000, window: { seconds: 86_400, by: 'said' } },
      ],
    ],
    [
      'structured fields by older names',
      answers(() => ({ 'x-ratelimit': 'default;r=9;t=60', 'x-ratelimit-policy': 'default;q=10;w=60' })),
      [
        {
          ...{
            limit: 10,
            window: said,
            names: ['X-RateLimit', 'X-RateLimit-Policy'],
            triple: null,
            fields: null,
          },
          own: {
            limit: { name: 'X-RateLimit-Policy', key: 'q' },
            remaining: { name: 'X-RateLimit', key: 'r' },
            reset: { name: 'X-RateLimit', key: 't' },
          },
          resetUnit: 'seconds',
        },
      ],
    ],
    [
      'fields of the IETF by other names, without a policy, and without a reset',
      answers(() => ({ 'x-ratelimit': '"default";r=9' })),
      [{ limit: null, own: { limit: null, remaining: { name: 'X-RateLimit', key: 'r' }, reset: null } }],
    ],
    [
      'fields of the IETF by other names, of several limits',
      answers(() => ({
        'x-ratelimit': 'a;r=9;t=60, b;r=99;t=9',
        'x-ratelimit-policy': 'a;q=10;w=60, b;q=100;w=9',
      })),
      [
        { limit: 100, own: null },
        { limit: 10, own: null },
      ],
    ],
    [
      'a limit with its window in one value, beside what remains',
      answers((turn) => ({ 'x-tx-ratelimit': '50/min', 'x-tx-ratelimit-remaining': String(49 - turn) })),
      [
        {
          ...{ limit: 50, window: said, names: ['X-Tx-RateLimit', 'X-Tx-RateLimit-Remaining'] },
          own: { limit: null, remaining: 'X-Tx-RateLimit-Remaining', reset: null },
        },
      ],
    ],
    [
      'a list of limits with their windows, beside one of what was used',
      answers((turn) => ({
        'x-app-rate-limit': '20:1,100:120',
        'x-app-rate-limit-count': `${turn + 1}:1,${turn + 30}:120`,
      })),
      [
        {
          ...{ limit: 20, window: { seconds: 1, by: 'said' } },
          own: {
            limit: { name: 'X-App-Rate-Limit', as: 'list' },
            remaining: { name: 'X-App-Rate-Limit-Count', as: 'used' },
            reset: null,
          },
        },
      ],
    ],
    [
      'a limit that is so written alone',
      answers(() => ({
        'x-ratelimit': '100 per hour',
        'x-frame-limit': '3/h',
        'x-no-ratelimit': 'degraded',
      })),
      [
        {
          limit: 100,
          window: { seconds: 3_600, by: 'said' },
          own: { limit: null, remaining: null, reset: null },
        },
      ],
    ],
    [
      'a header for each window',
      answers(() => ({ 'x-ratelimit-limit-hour': '1000', 'x-ratelimit-limit-minute': '100' })),
      [
        { limit: 100, window: said, names: ['X-RateLimit-Limit-Minute'] },
        { limit: 1_000, window: { seconds: 3_600, by: 'said' } },
      ],
    ],
    [
      'one header for a window beside three that say no window, in this order',
      answers(() => ({
        'x-ratelimit-limit-minute': '100',
        'ratelimit-limit': '100',
        'ratelimit-reset': '9',
      })),
      [{ limit: 100, window: said, triple: 'ratelimit-', resetUnit: 'seconds' }],
    ],
    [
      'headers of requests, beside those of tokens',
      answers((_, at) => ({
        'acme-ratelimit-requests-limit': '100',
        'acme-ratelimit-requests-remaining': '99',
        'acme-ratelimit-requests-reset': new Date((at + 59) * 1_000).toISOString(),
        'acme-ratelimit-tokens-limit': '40000',
        'acme-ratelimit-concurrency-limit': '5',
        'x-ratelimit-limit-tokens': '40000',
      })),
      [
        {
          ...{ limit: 100, window: concluded, resetUnit: 'date' },
          own: {
            limit: 'Acme-RateLimit-Requests-Limit',
            remaining: 'Acme-RateLimit-Requests-Remaining',
            reset: 'Acme-RateLimit-Requests-Reset',
          },
        },
      ],
    ],
    [
      'headers whose last word is requests',
      answers((turn) => ({
        'x-ratelimit-limit-requests': '100',
        'x-ratelimit-remaining-requests': String(99 - turn),
        'x-ratelimit-reset-requests': '59s',
      })),
      [{ limit: 100, window: concluded, own: { reset: 'X-RateLimit-Reset-Requests' } }],
    ],
    [
      'headers of a second, of an interval and of a day, the first and the last without a word for the limit',
      answers(() => ({
        ...{ 'x-acme-ratelimit-daily': '5000', 'x-acme-ratelimit-daily-remaining': '4999' },
        ...{ 'x-acme-ratelimit-max': '100', 'x-acme-ratelimit-remaining': '99' },
        'x-acme-ratelimit-interval-milliseconds': '10000',
        ...{ 'x-acme-ratelimit-secondly': '19', 'x-acme-ratelimit-secondly-remaining': '18' },
      })),
      [
        {
          limit: 19,
          window: { seconds: 1, by: 'said' },
          own: { limit: 'X-Acme-RateLimit-Secondly', reset: null },
        },
        { limit: 100, window: { seconds: 10, by: 'said' }, own: { remaining: 'X-Acme-RateLimit-Remaining' } },
        { limit: 5_000, window: { seconds: 86_400, by: 'said' } },
      ],
    ],
    [
      'headers of a second and an hour with one reset',
      answers(() => ({
        ...{ 'x-acme-ratelimit-second-limit': '7', 'x-acme-ratelimit-hour-limit': '36000' },
        'x-acme-ratelimit-reset': '1',
      })),
      [
        { limit: 7, window: { seconds: 1, by: 'said' }, own: { reset: 'X-Acme-RateLimit-Reset' } },
        { limit: 36_000, window: { seconds: 3_600, by: 'said' } },
      ],
    ],
    [
      'a word before limit',
      answers(() => ({
        'x-ratelimit-userlimit': '7',
        'x-ratelimit-userremaining': '6',
        'x-ratelimit-userreset': '9',
      })),
      [{ limit: 7, resetUnit: 'seconds', own: { remaining: 'X-RateLimit-Userremaining' } }],
    ],
    [
      'a window in the name of all',
      answers(() => ({ 'acme-perminuteratelimit-limit': '60', 'acme-perminuteratelimit-remaining': '59' })),
      [{ limit: 60, window: said }],
    ],
    [
      'the length of a window',
      answers(() => ({ 'x-rate-limit-limit': '60', 'x-rate-limit-interval': '60' })),
      [{ limit: 60, window: said }],
    ],
    [
      'what remains and what was used, with a fraction and without the limit',
      answers((turn) => ({
        'x-ratelimit-used': String(turn + 1),
        'x-ratelimit-remaining': `${599 - turn}.0`,
        'x-ratelimit-reset': '550',
      })),
      [
        {
          ...{ limit: 600, window: { seconds: 600, by: 'concluded' }, resetUnit: 'seconds' },
          own: {
            limit: null,
            remaining: { name: 'X-RateLimit-Used', as: 'used' },
            reset: 'X-RateLimit-Reset',
          },
        },
      ],
    ],
    [
      'what remains alone',
      answers((turn) => ({ 'x-acme-ratelimit-remaining-reads': String(11_999 - turn) })),
      [
        {
          ...{ limit: null, window: null, remaining: 11_999 },
          own: { limit: null, remaining: 'X-Acme-RateLimit-Remaining-Reads', reset: null },
        },
      ],
    ],
    [
      'what was used in a window that its name tells, but not what no request used',
      answers((turn) => ({
        'x-acme-used-weight-1m': String(2 * turn + 2),
        'x-acme-used-weight': String(2 * turn + 2),
        'x-acme-order-count-10s': '0',
        'x-acme-order-count-1d': '7',
      })),
      [
        {
          ...{ limit: null, window: said, names: ['X-Acme-Used-Weight-1m'] },
          own: { limit: null, remaining: { name: 'X-Acme-Used-Weight-1m', as: 'used' }, reset: null },
          hints: ['2 more requests took 4 units: each costs 2 (cost: 2)'],
        },
      ],
    ],
    [
      'a word that ends as a limit does, beside the limit',
      answers((turn) => ({
        'x-ratelimit-nearlimit': 'false',
        'x-ratelimit-limit': '100',
        'x-ratelimit-remaining': String(99 - turn),
      })),
      [{ limit: 100, names: ['X-RateLimit-Limit', 'X-RateLimit-Remaining'] }],
    ],
    [
      'the same limit twice, of which one says when its window ends',
      answers((turn) => ({
        ...{ 'x-rate-limit': '100', 'x-rate-limit-remaining': String(99 - turn) },
        ...{ 'ratelimit-limit': '100', 'ratelimit-remaining': String(99 - turn), 'ratelimit-reset': '60' },
      })),
      [
        {
          limit: 100,
          window: concluded,
          names: ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
        },
      ],
    ],
    [
      'limits with an interval each, in milliseconds',
      answers(() => ({
        ...{ 'x-rate-limit-api-key-max': '300', 'x-rate-limit-api-key-interval-ms': '10000' },
        ...{ 'x-rate-limit-api-page-max': '900', 'x-rate-limit-api-page-interval-ms': '60000' },
      })),
      [
        { limit: 300, window: { seconds: 10, by: 'said' } },
        { limit: 900, window: { seconds: 60, by: 'said' } },
      ],
    ],
    [
      'two seconds to go, always',
      answers((turn) => ({
        ...{
          'x-ratelimit-limit': '80',
          'x-ratelimit-remaining': String(79 - turn),
          'x-ratelimit-reset': '2',
        },
      })),
      [{ limit: 80, window: { seconds: 2, by: 'concluded' } }],
    ],
    [
      'what remains of a header that is no number',
      answers(() => ({ 'acme-ratelimit-mode': 'on', 'acme-ratelimit-mode-remaining': '5' })),
      [],
    ],
    [
      'two limits of one window, the least of which is first',
      answers(() => ({ 'acme-ratelimit-user-limit': '300', 'acme-ratelimit-path-limit': '120' })),
      [{ limit: 120 }, { limit: 300 }],
    ],
    [
      'a limit alone',
      answers(() => ({ 'x-ratelimit-limit': '100' })),
      [{ limit: 100, window: null, resetUnit: null }],
    ],
    [
      'a limit on the first answer alone',
      answers((turn) => (turn === 0 ? { 'x-ratelimit-limit': '100' } : ({} as Record<string, string>))),
      [{ limit: 100, isOnAll: false }],
    ],
    ['what is no number', answers(() => ({ 'x-ratelimit-limit': 'many', 'x-ratelimit-reset': 'soon' })), []],
    ['nothing', answers(() => ({ date: 'Mon, 01 Jan 2024 00:00:00 GMT' })), []],
  ])('as %s', (_style, looks, expected) => {
    const found = seenLimits(looks);
    expect(found).toHaveLength(expected.length);
    expect(found).toMatchObject(expected);
  });

  test.each<readonly [string, Bucket, object]>([
    [
      'a duration',
      { limit: 60, windowSeconds: 60, resetOf: (toGo) => `${toGo.toFixed(3)}s` },
      { window: { seconds: 60, by: 'refill' }, refill: { missing: 2 } },
    ],
    [
      'milliseconds, of a bucket that refills in an hour',
      { limit: 5_000, windowSeconds: 3_600, resetOf: (toGo) => String(Math.ceil(toGo * 1_000)) },
      { window: null, refill: { wholeSeconds: null } },
    ],
    [
      'a date in whole seconds',
      {
        ...{ limit: 50, windowSeconds: 60 },
        resetOf: (toGo, at) => new Date(1_000 * Math.ceil(at + toGo)).toISOString(),
      },
      { window: null, refill: {} },
    ],
    [
      'whole seconds, many of them',
      { limit: 10, windowSeconds: 60, resetOf: (toGo) => String(Math.ceil(toGo)) },
      { window: { seconds: 60, by: 'refill' }, refill: {} },
    ],
  ])('when a bucket is full again is no end of a window: by %s', (_how, bucket, expected) => {
    const [seen] = seenLimits(ofBucket(bucket));
    expect(seen).toMatchObject(expected);
    expect(seen?.hints.join()).toContain('promise: token-bucket');
  });

  test.each<readonly [string, (turn: number, at: number) => readonly [remaining: number, toGo: number]]>([
    ['which stays', (turn, at) => [99 - turn, minute + 70 - at]],
    ['which moves', (turn) => [99 - turn, 60]],
    ['and the next one has begun', (turn, at) => (turn < 2 ? [40 - turn, minute + 11 - at] : [99, 60])],
    ['where each request costs much', (turn, at) => [100 - 20 * turn, minute + 70 - at]],
  ])('the end of a window %s is not taken for a bucket’s', (_how, at) => {
    const looks = answers((turn, seconds) => {
      const [remaining, toGo] = at(turn, seconds);
      return {
        'ratelimit-limit': '100',
        'ratelimit-remaining': String(remaining),
        'ratelimit-reset': String(Math.ceil(toGo)),
      };
    });
    expect(seenLimits(looks)[0]).toMatchObject({ refill: null, window: concluded });
  });

  test('in windows as short as between two looks all places come back, which is no bucket', () => {
    const looks = answers((turn) => ({
      'x-ratelimit-limit-second': '9',
      'x-ratelimit-remaining-second': turn === 1 ? '7' : '8',
    }));
    expect(seenLimits(looks)[0]?.hints).toEqual([]);
  });

  test('refusals tell nothing of places that come back', () => {
    const full = { 'ratelimit-limit': '9', 'ratelimit-remaining': '0', 'ratelimit-reset': '60' };
    expect(seenLimits(answers(() => full))[0]?.hints.join()).not.toContain('token-bucket');
  });

  test.each<readonly [string, readonly Look[], string]>([
    ['which stays', triple('x-ratelimit-', (toGo, at) => String(Math.ceil(at + toGo))), 'stays where it is'],
    ['which stays at a full minute', triple('x-ratelimit-', () => String(minute + 60)), 'aligned: clock'],
    [
      'which begins with the first request, at a full minute by chance',
      triple('x-ratelimit-', () => String(minute + 60)).map((look) => ({
        ...look,
        receivedMs: look.receivedMs - 10_000,
      })),
      'stays where it is',
    ],
    ['which moves', triple('x-ratelimit-', () => '60'), 'moves with each request'],
    [
      'while places come back',
      answers((turn) => ({
        'ratelimit-limit': '100',
        'ratelimit-remaining': turn === 2 ? '99' : String(99 - turn),
        'ratelimit-reset': '60',
      })),
      'promise: token-bucket',
    ],
  ])('the end of a window %s tells something of its kind', (_how, looks, hint) => {
    expect(seenLimits(looks)[0]?.hints.join()).toContain(hint);
  });
});
