import { describe, expect, test } from 'vitest';
import type { LoadClauseId } from '../contract/clauses/load.ts';
import type { ClauseId, DecidedClauseId } from '../contract/clauses/registry.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Verdict } from '../contract/verdict.ts';
import { flawsOf, provenOf } from './testing/certified.ts';
import {
  admitted,
  indeterminate,
  limited,
  type Setting,
  times,
  traceOf,
  traceOfDocument,
} from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

function verdictOf(clause: ClauseId, exchanges: readonly Exchange[], setting: Setting = {}): Verdict {
  const found = verdictOn(clause, traceOf(exchanges, setting));
  if (found === undefined || found.kind === 'crashed') throw new Error(`${clause}: ${found?.message}`);
  return found;
}

const error = (fields: object): string => JSON.stringify({ success: false, error: fields });
const refusal = { code: 'rate_limit_exceeded', message: 'Slow down.', retry_after_seconds: 5 };
const elsewhere = {
  scope: 'standard',
  key: null,
  status: 401,
  limit: null,
  remaining: null,
  reset: null,
} as const;

const standard = { scope: 'standard' } as const;
const messages = { scope: 'messages' } as const;

/** A full window of uploads, and a 429 that shows it. */
const full = [...times(30, () => admitted(0, 5)), limited(100, 105)];

type Bad = readonly [exchanges: readonly Exchange[], reason: string];

/**
 * Minimal bad traces of each clause, and the reason that must be given. Those of the load suite are in
 * `scenarios/scenarios.test.ts`.
 */
const badTraces: Readonly<Record<Exclude<DecidedClauseId, LoadClauseId>, readonly Bad[]>> = {
  'limits.standard': [
    [[...times(121, () => admitted(0, 5, standard)), limited(100, 105, standard)], 'over-admission'],
  ],
  'limits.messages': [
    [[...times(301, () => admitted(0, 5, messages)), limited(100, 105, messages)], 'over-admission'],
  ],
  'limits.media': [[[...times(31, () => admitted(0, 5)), limited(100, 105)], 'over-admission']],
  'limits.messages-subpaths': [
    [
      [
        ...times(300, () => admitted(0, 5, messages)),
        limited(100, 105, messages),
        admitted(200, 205, { ...messages, route: 'subpath' }),
      ],
      'counted-apart',
    ],
  ],
  'limits.per-key': [
    [
      [
        admitted(0, 5, { key: 'B' }),
        ...times(30, () => admitted(62_000, 62_005)),
        limited(62_100, 62_105),
        limited(62_200, 62_205, { key: 'B' }),
      ],
      'one-window-for-keys',
    ],
  ],
  'limits.per-scope': [
    [
      [admitted(0, 5), ...times(30, () => admitted(62_000, 62_005, messages)), limited(62_100, 62_105)],
      'one-window-for-scopes',
    ],
  ],
  'window.rolling': [
    [[...full, admitted(30_000, 30_005)], 'early-return'],
    [[...full, limited(61_200, 61_205)], 'late-return'],
  ],
  'window.length': [
    [
      [
        ...full,
        limited(58_800, 58_805),
        admitted(59_200, 59_205),
        ...times(30, () => admitted(118_500, 118_505)),
      ],
      'too-short',
    ],
  ],
  'window.granularity': [
    [
      [
        admitted(0, 5),
        ...times(30, () => admitted(70_000, 70_005)),
        limited(70_100, 70_105),
        limited(130_500, 130_505),
      ],
      'whole-seconds',
    ],
  ],
  'headers.present': [
    [[admitted(0, 5), limited(10, 15, { remaining: null })], 'missing-on-429'],
    [[admitted(0, 5, { reset: null })], 'missing-on-success'],
    [[admitted(0, 5, { status: 404, outcome: 'refused', limit: null })], 'missing-on-error'],
  ],
  'headers.limit': [
    [[admitted(0, 5, { limit: '60' })], 'wrong-limit'],
    [[admitted(0, 5, { limit: '30, 30' })], 'not-an-integer'],
  ],
  'headers.remaining': [
    [[admitted(0, 5, { remaining: '30' })], 'too-high'],
    [[admitted(0, 5, { remaining: '-1' })], 'not-an-integer'],
    [[admitted(0, 5), admitted(61_200, 61_205, { remaining: '7' })], 'too-low'],
  ],
  'headers.remaining-on-429': [
    [[...full.slice(0, 30), limited(100, 105, { remaining: '3' })], 'not-zero'],
    [[...full, admitted(61_100, 61_105), limited(61_200, 61_205, { remaining: '3' })], 'not-zero'],
  ],
  'headers.reset': [
    [[admitted(0, 5, { reset: '1760000070000' })], 'milliseconds'],
    [[admitted(0, 5, { reset: '30' })], 'delta'],
    [[admitted(0, 5, { reset: '1760000010' })], 'past'],
    [[admitted(0, 5, { reset: '1760000140' })], 'beyond-window'],
    [[admitted(0, 5, { reset: '2026-01-01T00:00:00Z' })], 'not-an-integer'],
    [[admitted(0, 5, { reset: '1760000010.250' })], 'past'],
  ],
  'error.status': [[[admitted(0, 5, { status: 503, outcome: 'refused', body: error(refusal) })], 'not-429']],
  'error.shape': [
    [[limited(0, 5, { body: '<html>429</html>' })], 'not-json'],
    [[limited(0, 5, { body: '{"error":{"code":"rate_limit_exceeded"}}' })], 'no-success'],
    [[limited(0, 5, { body: '{"success":"false","error":{}}' })], 'success-not-false'],
    [[limited(0, 5, { body: '{"success":false,"code":"rate_limit_exceeded"}' })], 'no-error-object'],
  ],
  'error.code': [[[limited(0, 5, { body: error({ ...refusal, code: 'too_many' }) })], 'wrong-code']],
  'error.message': [[[limited(0, 5, { body: error({ ...refusal, message: 7 }) })], 'not-a-string']],
  'error.message-text': [[[limited(0, 5, { body: error({ ...refusal, message: '' }) })], 'empty']],
  'error.retry-after': [
    [[limited(0, 5, { body: error({ code: 'x', message: 'y' }) })], 'absent'],
    [[limited(0, 5, { body: error({ ...refusal, retry_after_seconds: 0 }) })], 'zero'],
    [[limited(0, 5, { body: error({ ...refusal, retry_after_seconds: 1.5 }) })], 'not-an-integer'],
    [[limited(0, 5, { body: error({ ...refusal, retry_after_seconds: '5' }) })], 'not-an-integer'],
    [[limited(0, 5, { body: error(refusal).replace(':5}', ':5.0}') })], 'not-an-integer'],
    [[limited(0, 5, { body: error(refusal).replace(':5}', ':5e0}') })], 'not-an-integer'],
    [[limited(0, 5, { body: error({ ...refusal, retry_after_seconds: 121 }) })], 'too-long'],
  ],
  'error.retry-after-length': [
    [[limited(0, 5, { body: error({ ...refusal, retry_after_seconds: 63 }) })], 'longer-than-needed'],
  ],
  'error.retry-after-suffices': [[[...full, limited(5_200, 5_210)], 'second-429']],
  'error.content-type': [[[limited(0, 5, { contentType: 'text/html' })], 'not-json']],
  'error.other-shape': [
    [[admitted(0, 5, { ...elsewhere, outcome: 'refused', body: 'Unauthorized' })], 'not-json'],
    [[admitted(0, 5, { ...elsewhere, outcome: 'refused', body: error({ code: 'x' }) })], 'no-message'],
    [[limited(0, 5, { ...elsewhere, status: 429, credential: 'absent', body: '<html>' })], 'not-json'],
  ],
  'auth.bearer': [[[admitted(0, 5, { credential: 'absent', key: null })], 'admitted-without-key']],
};

const bad = Object.entries(badTraces).flatMap(([clause, rows]) =>
  rows.map(([exchanges, reason]) => ({ clause: clause as ClauseId, exchanges, reason })),
);

describe('a minimal bad trace violates its clause, for its reason', () => {
  test.each(bad)('$clause: $reason (%#)', ({ clause, exchanges, reason }) => {
    expect(verdictOf(clause, exchanges)).toMatchObject({ kind: 'violated', reason });
  });
});

describe('a minimal bad trace is proved whole by a certificate', () => {
  test.each(bad)('$clause: $reason (%#)', ({ clause, exchanges, reason }) => {
    const proven = provenOf(traceOf(exchanges)).find((one) => one.clause === clause);
    expect(proven).toMatchObject({ clause, reason });
    expect(flawsOf(proven)).toEqual([]);
  });
});

type Fine = readonly [what: string, clause: ClauseId, exchanges: readonly Exchange[], kind: Verdict['kind']];

describe('what looks alike but conforms, or proves nothing, is not violated', () => {
  const ofProxy = { outcome: 'refused', limit: null, remaining: null, reset: null } as const;
  const banned = [
    ...times(3, () => admitted(0, 5)),
    admitted(10, 15, {
      ...elsewhere,
      ...ofProxy,
      credential: 'absent',
      body: error({ code: 'x', message: 'y' }),
    }),
    admitted(20, 25),
    ...times(12, (at) => admitted(30 + at, 40 + at, { ...ofProxy, status: 403, body: '<html>403</html>' })),
  ];
  const fine: readonly Fine[] = [
    [
      'a 502 may come from a proxy',
      'headers.present',
      [admitted(0, 1), admitted(2, 3, { status: 502, outcome: 'refused', limit: null })],
      'held',
    ],
    ...[408, 413, 431, 499].map(
      (status): Fine => [
        `a ${status} without any of the headers is a proxy’s`,
        'headers.present',
        [admitted(0, 1), admitted(2, 3, { ...ofProxy, status })],
        'held',
      ],
    ),
    [
      'the page of a proxy is no error of the API',
      'error.other-shape',
      [admitted(0, 1), admitted(2, 3, { ...ofProxy, status: 413, body: '<html>413</html>' })],
      'inconclusive',
    ],
    ...(['headers.present', 'error.other-shape', 'limits.media'] as const).map(
      (clause): Fine => [
        `an address that is shut out after requests without a key: ${clause}`,
        clause,
        banned,
        clause === 'limits.media' ? 'inconclusive' : 'held',
      ],
    ),
    [
      'Remaining may be low by earlier use, for one window',
      'headers.remaining',
      [admitted(0, 5, { remaining: '12' })],
      'held',
    ],
    [
      'Remaining is never below 0, also where rejections count and more than the limit came',
      'headers.remaining',
      [
        ...full,
        ...times(20, () => limited(59_000, 59_005)),
        ...times(10, () => admitted(61_500, 61_505)),
        ...times(5, () => limited(62_000, 62_005)),
        admitted(62_500, 62_505, { status: 404, outcome: 'refused', remaining: '0' }),
      ],
      'held',
    ],
    [
      'a request of ours without a key may have taken a place',
      'headers.remaining',
      [
        ...full,
        admitted(122_000, 122_005, { ...elsewhere, scope: 'media', credential: 'absent' }),
        admitted(122_100, 122_105, { remaining: '28' }),
      ],
      'held',
    ],
    [
      'a place came free between the refusal and the writing of its answer',
      'headers.remaining-on-429',
      [...full, limited(59_990, 60_010, { remaining: '30' })],
      'held',
    ],
    [
      'a request from before the run may leave while a 429 is written',
      'headers.remaining-on-429',
      [admitted(0, 5), limited(100, 105, { remaining: '1' })],
      'held',
    ],
    [
      'a clock two seconds ahead shifts every Reset',
      'headers.reset',
      [admitted(0, 5, { reset: '1760000102' })],
      'held',
    ],
    [
      'a fraction in a field of another object, or in a text',
      'error.retry-after',
      [
        limited(0, 5, {
          body: error({
            ...refusal,
            message: '"retry_after_seconds": 5.0',
            more: { retry_after_seconds: 0.5 },
          }),
        }),
      ],
      'held',
    ],
    [
      'a wait of a window in whole seconds, rounded up with one to spare',
      'error.retry-after',
      [limited(0, 5, { body: error({ ...refusal, retry_after_seconds: 62 }) })],
      'held',
    ],
    [
      'a wait with up to a window added at random: the document has no maximum',
      'error.retry-after',
      [limited(0, 5, { body: error({ ...refusal, retry_after_seconds: 97 }) })],
      'held',
    ],
    [
      'Reset with a fraction is still a time in seconds',
      'headers.reset',
      [admitted(0, 5, { reset: '1760000070.250' })],
      'held',
    ],
    [
      'nodes 9 s apart, each within what the settings allow',
      'headers.reset',
      [admitted(0, 5, { reset: '1760000104' }), admitted(10, 15, { node: 1, reset: '1760000035' })],
      'held',
    ],
    [
      'values 9 s apart under one address: nodes behind a balancer, or a clock that was stepped',
      'headers.reset',
      [admitted(0, 5, { reset: '1760000104' }), admitted(10, 15, { reset: '1760000035' })],
      'inconclusive',
    ],
    [
      'a cap per second refuses in two bursts that lie a little more than a window apart',
      'window.granularity',
      [0, 60_100].flatMap((fromMs) => [
        ...times(5, () => admitted(fromMs, fromMs + 8, messages)),
        ...times(2, () => limited(fromMs + 1, fromMs + 9, messages)),
      ]),
      'inconclusive',
    ],
    [
      'a 429 soon after the start may be somebody else’s doing',
      'limits.media',
      [admitted(0, 5), limited(30_000, 30_005)],
      'inconclusive',
    ],
    ['nothing was refused', 'error.shape', [admitted(0, 5)], 'inconclusive'],
    [
      'a 403 over the limit says nothing',
      'error.status',
      [...times(30, () => admitted(0, 5)), admitted(9, 10, { status: 403, outcome: 'refused' })],
      'inconclusive',
    ],
  ];
  test.each(fine)('%s', (_name, clause, exchanges, kind) => {
    expect(verdictOf(clause, exchanges).kind).toBe(kind);
  });
});

describe('a body that the trace does not show whole', () => {
  const whole = '{"success":false,"error":{"code":"rate_limit_exceeded"}}';
  const cut = whole.slice(0, 30);
  const html = `<html>${' '.repeat(3_000)}`;
  const left: readonly (readonly [string, Parameters<typeof limited>[2], string])[] = [
    ['broke off', { body: cut, bodyState: 'partial' }, '1 body ended early'],
    ['never began', { body: '', bodyState: 'partial' }, '1 body ended early'],
    ['may have broken off', { body: cut, bodyState: 'until-close' }, '1 body ended early'],
    [
      'is longer than is kept',
      { body: cut, bodyState: 'beyond-bound' },
      '1 body is longer than the trace keeps',
    ],
    [
      'was cut by an older version',
      { body: cut + ' '.repeat(2_018) },
      '1 body is longer than the trace keeps',
    ],
    ['belongs to HEAD', { body: '', bodyState: 'whole', method: 'HEAD' }, '1 answer to HEAD has no body'],
  ];
  test.each(left)('is judged by no clause where it %s, and each says so', (_name, given, text) => {
    const clauses = [
      'error.shape',
      'error.code',
      'error.message',
      'error.message-text',
      'error.retry-after',
    ] as const;
    for (const clause of clauses) {
      const alone = verdictOf(clause, [limited(0, 5, given)]);
      expect(alone).toMatchObject({
        kind: 'inconclusive',
        because: [],
        reason: `${text}: there is no other to judge`,
      });
      expect(verdictOf(clause, [limited(0, 5), limited(10, 15, given)])).toMatchObject({
        kind: 'held',
        summary: `1 answer; ${text}, not judged`,
      });
    }
    const other = { ...elsewhere, outcome: 'refused', contentType: 'application/json' } as const;
    expect(verdictOf('error.other-shape', [admitted(0, 5, { ...given, ...other })])).toMatchObject({
      kind: 'inconclusive',
      reason: `${text}: there is no other to judge`,
    });
  });

  test.each([
    ['beyond-bound', html],
    ['until-close', html],
    [undefined, html.slice(0, 2_048)],
  ] as const)('is not JSON whatever follows, where it begins as no JSON does (%s)', (bodyState, body) => {
    const given = bodyState === undefined ? { body } : { body, bodyState };
    expect(verdictOf('error.shape', [limited(0, 5, given)])).toMatchObject({
      kind: 'violated',
      reason: 'not-json',
    });
  });

  test('says how many there are beside a violation', () => {
    const partial = times(2, () => limited(0, 5, { body: cut, bodyState: 'partial' }));
    const verdict = verdictOf('error.shape', [...partial, limited(10, 15, { body: '[]' })]);
    expect(verdict).toMatchObject({
      kind: 'violated',
      evidence: { observed: 'no field success (1 of 1 answers; 2 bodies ended early, not judged)' },
    });
  });
});

describe('refusals that are no ban', () => {
  const forbidden = { status: 403, outcome: 'refused', limit: null, remaining: null, reset: null } as const;
  const keyless = admitted(1, 2, {
    ...elsewhere,
    credential: 'absent',
    body: error({ code: 'x', message: 'y' }),
  });
  const refusedFrom = (fromMs: number): Exchange[] =>
    times(12, (at) => admitted(fromMs + at, fromMs + 5 + at, forbidden));
  test.each<readonly [string, readonly Exchange[]]>([
    ['nothing was sent without a key', [admitted(0, 5), ...refusedFrom(10), admitted(30, 31)]],
    ['the key is served in between', [keyless, admitted(5, 8), ...refusedFrom(10), admitted(16, 17)]],
    [
      'they are how the service refuses over the limit: after a window it serves, and refuses, again',
      [keyless, ...full.slice(0, 30), ...refusedFrom(10), admitted(61_100, 61_105), ...refusedFrom(61_200)],
    ],
  ])('%s', (_name, exchanges) => {
    expect(verdictOf('headers.present', exchanges)).toMatchObject({
      kind: 'violated',
      reason: 'missing-on-error',
    });
  });
});

describe('the count of a group', () => {
  test('a 31st after the window had been full came back too early', () => {
    const trace = [...full, admitted(30_000, 30_005)];
    expect(verdictOf('window.rolling', trace)).toMatchObject({ kind: 'violated', reason: 'early-return' });
    expect(verdictOf('limits.media', trace)).toMatchObject({
      kind: 'inconclusive',
      because: ['window.rolling'],
    });
  });

  test('a 31st at the very edge of the window’s uncertainty proves nothing', () => {
    expect(verdictOf('window.rolling', [...full, admitted(59_970, 59_980)]).kind).not.toBe('violated');
  });

  test('a request without an answer never makes over-admission', () => {
    const trace = [...times(30, () => admitted(0, 5)), indeterminate(1), limited(100, 105)];
    expect(verdictOf('limits.media', trace).kind).not.toBe('violated');
  });

  test('with others on the key nothing can be said about refusals', () => {
    const trace = [...full, limited(61_200, 61_205)];
    expect(verdictOf('window.rolling', trace, { deployment: { exclusiveKeys: false } }).kind).not.toBe(
      'violated',
    );
  });

  test('a wall clock that steps in between makes it inconclusive', () => {
    const stepped = { wallSentMs: 1_760_000_200_000, wallReceivedMs: 1_760_000_200_005 };
    const trace = [...full, admitted(30_000, 30_005, stepped)];
    const reason = 'the clock of this machine jumped during the run: run it again';
    expect(verdictOf('window.rolling', trace)).toEqual({ kind: 'inconclusive', reason, because: [] });
  });

  test('429s that fit two a second are inconclusive until a person says what is meant', () => {
    const second = (from: number): Exchange[] => [
      admitted(from, from + 5, { scope: 'standard' }),
      admitted(from + 10, from + 15, { scope: 'standard' }),
      limited(from + 20, from + 25, { scope: 'standard' }),
    ];
    const trace = [0, 5_000, 62_000, 64_000].flatMap(second);
    expect(verdictOf('limits.standard', trace)).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringContaining('perSecond'),
    });
    expect(verdictOf('limits.standard', trace, { deployment: { perSecond: 'average' } }).kind).toBe(
      'violated',
    );
    expect(verdictOf('limits.standard', trace, { deployment: { perSecond: 'cap' } }).kind).toBe(
      'not-applicable',
    );
  });

  const refused = { ...elsewhere, credential: 'absent', outcome: 'refused' } as const;
  test.each<readonly [string, readonly Exchange[]]>([
    ['another request', [...full, admitted(5_150, 5_160)]],
    ['a request without a key', [...full, admitted(5_150, 5_160, { ...refused, scope: 'media' })]],
    [
      'a 429 at the same moment by a coarse clock, if rejections count,',
      [...full.filter(({ outcome }) => outcome === 'admitted'), limited(100, 100), limited(100, 100)],
    ],
  ])(
    'a second 429 after the announced wait proves nothing where %s may have taken the place',
    (_name, trace) => {
      const { kind } = verdictOf('error.retry-after-suffices', [...trace, limited(5_200, 5_210)]);
      expect(kind).not.toBe('violated');
    },
  );
});

test('a light run cannot be violated by what it did not try, and says so', () => {
  expect(verdictOf('limits.media', [admitted(0, 5)], { mode: 'light' })).toEqual({
    kind: 'not-applicable',
    reason: 'not run: a light run saturates nothing',
  });
  const light = (clause: ClauseId) => verdictOf(clause, [limited(0, 5, { body: '[]' })], { mode: 'light' });
  expect(light('version.prefix').kind).toBe('inconclusive');
  expect(light('error.code')).toMatchObject({ kind: 'inconclusive', because: ['error.shape'] });
});

test('load alone shows nothing of what the probes show, and says so', () => {
  const load = (clause: ClauseId) => verdictOf(clause, [limited(0, 5, { body: '[]' })], { mode: 'load' });
  expect(load('limits.media')).toEqual({ kind: 'not-applicable', reason: 'not shown by load alone' });
  expect(load('error.code')).toMatchObject({ kind: 'inconclusive', because: ['error.shape'] });
});

test.each([1, 1.5, 2.25])(
  'a further limit is judged by the name that its window of %s s gives it',
  (windowSeconds) => {
    const media = { title: '/media', limit: 100, also: [{ limit: 2, windowSeconds }] };
    const trace = traceOfDocument(
      times(10, (at) => admitted(10 * at, 10 * at + 5)),
      { headers: 'none', errors: 'none', scopes: { media } },
      { limits: { media: 100 } },
    );
    expect(verdictOn(`limits.media.${windowSeconds}s`, trace)?.kind).toBe('violated');
  },
);

test('a guarantee is held where nobody was ever refused, and no bound is', () => {
  const kindOf = (promise: string, second: number) =>
    verdictOn(
      'limits.media',
      traceOfDocument(
        [...times(40, () => admitted(0, 5)), ...times(second, () => admitted(61_000, 61_005))],
        { headers: 'none', errors: 'none', scopes: { media: { title: '/media', limit: 30, promise } } },
        { limits: { media: 30 } },
      ),
    )?.kind;
  expect(kindOf('at-least', 40)).toBe('held');
  expect(kindOf('at-least', 29)).toBe('inconclusive');
  expect(kindOf('unsaid', 40)).not.toBe('held');
  expect(kindOf('token-bucket', 40)).not.toBe('held');
});
