import { describe, expect, test } from 'vitest';
import type { ClauseId } from '../contract/clauses/registry.ts';
import type { Exchange } from '../contract/exchange.ts';
import { admitted, type Given, indeterminate, limited, originMs, times, traceOf } from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

function verdictOf(clause: ClauseId, exchanges: readonly Exchange[]) {
  return verdictOn(clause, traceOf(exchanges));
}

const body = (error: object): string => JSON.stringify({ success: false, error });
const whole = { code: 'rate_limit_exceeded', message: 'Slow down.', retry_after_seconds: 5 };
const none: Given = { limit: null, remaining: null, reset: null };
const keyless: Given = { ...none, scope: 'standard', key: null, credential: 'absent' };
const refused = (status: number, given: Given = {}) =>
  admitted(0, 5, { status, outcome: 'refused', ...given });
const second = originMs / 1_000;

type Row = readonly [clause: ClauseId, exchanges: readonly Exchange[], observed: string];

describe('a violation says what was seen, and on how many answers', () => {
  const rows: readonly Row[] = [
    [
      'headers.present',
      [
        admitted(0, 5),
        refused(404, none),
        refused(404, none),
        limited(0, 5, { reset: null }),
        refused(502, none),
      ],
      'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset missing on 3 of 4 answers (2 × 404, 1 × 429)',
    ],
    [
      'headers.present',
      [admitted(0, 5, { reset: null })],
      'X-RateLimit-Reset missing on 1 of 1 answers (1 × 200)',
    ],
    ['headers.limit', [admitted(0, 5), admitted(0, 5, { limit: '60' })], '60 (1 of 2 answers differ)'],
    [
      'headers.limit',
      [admitted(0, 5, { limit: 'x'.repeat(90) }), admitted(0, 5)],
      `"${'x'.repeat(60)}" (1 answer)`,
    ],
    [
      'auth.bearer',
      [admitted(0, 5, { ...keyless, credential: 'unknown' }), admitted(0, 5, keyless), refused(401, keyless)],
      'HTTP 200 with unknown key (2 answers)',
    ],
    [
      'error.status',
      [refused(503, { body: body(whole) }), refused(403, { body: body(whole) }), refused(403)],
      'HTTP 503 with code rate_limit_exceeded (2 answers)',
    ],
    [
      'error.code',
      [limited(0, 5), limited(0, 5, { body: body({ ...whole, code: 'slow' }) })],
      'error.code "slow" (1 of 2 answers)',
    ],
    [
      'error.message',
      [limited(0, 5, { body: body({ ...whole, message: undefined }) })],
      'error.message absent (1 of 1 answers)',
    ],
    [
      'error.message-text',
      ['', ' \t', 'No.'].map((message) => limited(0, 5, { body: body({ ...whole, message }) })),
      'an empty error.message (2 of 3 answers)',
    ],
    ['error.shape', [limited(0, 5, { body: '{"success":true}' })], 'success true (1 of 1 answers)'],
    ['error.shape', [limited(0, 5, { body: '{"success":false,"error":[]}' })], 'error [] (1 of 1 answers)'],
    [
      'error.shape',
      [limited(0, 5, { body: '{"success":false,"error":null}' })],
      'error null (1 of 1 answers)',
    ],
    ['error.content-type', [limited(0, 5, { contentType: null })], 'no Content-Type (1 of 1 answers)'],
    [
      'error.content-type',
      [limited(0, 5, { contentType: 'x-application/json' })],
      'Content-Type "x-application/json" (1 of 1 answers)',
    ],
    [
      'error.content-type',
      [limited(0, 5, { contentType: 'text/json' }), limited(0, 5, { contentType: null, method: 'HEAD' })],
      'Content-Type "text/json" (1 of 1 answers; 1 answer to HEAD has no body, not judged)',
    ],
    [
      'error.other-shape',
      [refused(404, { body: body({ code: 'x', message: 5 }) })],
      'HTTP 404: error.message 5 (1 of 1 answers)',
    ],
    [
      'error.other-shape',
      [refused(404, { body: body({ message: 'x' }) })],
      'HTTP 404: error.code absent (1 of 1 answers)',
    ],
    [
      'headers.reset',
      [admitted(0, 5, { reset: `${second + 100}` }), admitted(0, 5, { reset: `${second + 90}` })],
      `X-RateLimit-Reset ${second + 100}: 100.0 s ahead, more than a window`,
    ],
    [
      'headers.reset',
      [admitted(0, 5, { reset: `${second - 30}` }), admitted(0, 5, { reset: `${second - 20}` })],
      `X-RateLimit-Reset ${second - 30}: 30.0 s from now: no clock offset fits all values`,
    ],
    [
      'headers.reset',
      [admitted(0, 5, { reset: '30' })],
      'X-RateLimit-Reset 30: that is a number of seconds, not a point in time',
    ],
    [
      'headers.reset',
      [admitted(0, 5, { reset: `${originMs}` })],
      `X-RateLimit-Reset ${originMs}: that is Unix time in milliseconds`,
    ],
  ];
  test.each(rows)('%s (%#)', (clause, exchanges, observed) => {
    expect(verdictOf(clause, exchanges)).toMatchObject({ kind: 'violated', evidence: { observed } });
  });
});

describe('what is held is said with its extent', () => {
  const rows: readonly (readonly [ClauseId, readonly Exchange[], string])[] = [
    ['headers.present', [admitted(0, 5), limited(0, 5), indeterminate(0)], 'all three on 2 answers'],
    ['headers.limit', [admitted(0, 5), admitted(0, 5, { limit: null })], 'right on 1 answer'],
    ['error.status', [limited(0, 5)], '1 refusal, HTTP 429'],
    [
      'error.content-type',
      [
        limited(0, 5, { bodyState: 'partial' }),
        limited(0, 5, { contentType: 'Application/problem+JSON; x' }),
      ],
      '2 answers',
    ],
    ['headers.reset', [admitted(0, 5)], '1 value between now and one window from now'],
    [
      'headers.reset',
      [admitted(0, 5), admitted(0, 5), admitted(0, 5, { reset: `${second + 30}.5` })],
      '3 values between now and one window from now; 1 with a fraction of a second',
    ],
  ];
  test.each(rows)('%s (%#)', (clause, exchanges, summary) => {
    expect(verdictOf(clause, exchanges)).toEqual({ kind: 'held', summary });
  });
});

describe('what is open says why', () => {
  const twoNodes = [100, 85].map((seconds, at) =>
    admitted(at * 10, at * 10 + 5, { reset: `${second + seconds - 40}` }),
  );
  const rows: readonly (readonly [ClauseId, readonly Exchange[], string | RegExp])[] = [
    ['headers.present', [indeterminate(0)], 'no request with a valid key was answered'],
    ['headers.present', [refused(401, keyless)], 'no request with a valid key was answered'],
    ['error.status', [admitted(0, 5)], 'no limit was reached'],
    ['error.status', times(30, () => admitted(0, 5)), 'no request over the limit got a 429'],
    ['error.shape', [admitted(0, 5)], 'no 429 was seen'],
    ['error.other-shape', [admitted(0, 5)], /^no other error was seen: set requests.otherError/],
    ['auth.bearer', [refused(404)], 'no request with a valid key was answered 2xx'],
    [
      'auth.bearer',
      [admitted(0, 5), refused(500, keyless)],
      'no request without a key was answered by the API',
    ],
    [
      'headers.reset',
      [twoNodes[0]!, admitted(10, 15, { reset: `${second - 5}` })],
      /^no one clock fits all values of X-RateLimit-Reset: they are 2\.\d s or more apart\. /,
    ],
  ];
  test.each(rows)('%s (%#)', (clause, exchanges, reason) => {
    expect(verdictOf(clause, exchanges)).toMatchObject({
      kind: 'inconclusive',
      reason: typeof reason === 'string' ? reason : expect.stringMatching(reason),
    });
  });

  test('a clause about the fields of a body is left to the one about its shape where no body has them', () => {
    const shapeless = limited(0, 5, { body: '[]' });
    const cut = limited(0, 5, { body: '{"succ', bodyState: 'partial' });
    for (const exchanges of [[shapeless], [cut, shapeless]])
      expect(verdictOf('error.code', exchanges)).toMatchObject({ because: ['error.shape'] });
    expect(verdictOf('error.code', [cut])).toMatchObject({ because: [] });
  });

  test('each node has a clock of its own: what is wrong at one is said before what is open at another', () => {
    const at = (node: number, ...resets: readonly number[]) =>
      resets.map((reset) => admitted(10, 15, { node, reset: `${reset}` }));
    const open = at(1, second + 60, second - 5);
    const kind = (...exchanges: readonly (readonly Exchange[])[]) =>
      verdictOf('headers.reset', exchanges.flat())?.kind;
    expect(kind(at(0, second + 30), open)).toBe('inconclusive');
    expect(kind(at(0, second + 30), open, at(2, 30))).toBe('violated');
    expect(kind(at(0, second + 60), at(1, second - 5))).toBe('held');
  });

  test('a Reset that says the truth about a window that is too long is left to the clause about its length', () => {
    const at = (ms: number, make: typeof admitted = limited) =>
      make(ms, ms + 10, { reset: `${second + 95}` });
    const kept = [at(100), ...times(60, (index) => at(30_000 + index * 1_000))];
    const window = [
      ...times(30, () => at(0, admitted)),
      ...kept,
      ...times(30, () => admitted(90_000, 90_010)),
    ];
    expect(verdictOf('window.length', [...window, limited(90_100, 90_110)])).toMatchObject({
      reason: 'too-long',
    });
    expect(verdictOf('headers.reset', [...window, limited(90_100, 90_110)])).toMatchObject({
      because: ['window.length'],
    });
    const beyond = limited(90_100, 90_110, { reset: `${second + 290}` });
    expect(verdictOf('headers.reset', [...window, beyond])).toMatchObject({ reason: 'beyond-window' });
  });

  test('a Reset is wrong a millisecond beyond what the settings and the clocks’ bounds allow, and no sooner', () => {
    const kind = (reset: number, receivedMs: number) =>
      verdictOf('headers.reset', [admitted(receivedMs, receivedMs, { reset: `${second + reset}` })])?.kind;
    // Five seconds behind, rounded down; and five seconds ahead, rounded up twice, of a minute that lasts 24 ms longer.
    expect([kind(-6, 0.5), kind(-6, 1.5)]).toEqual(['held', 'violated']);
    expect([kind(68, 975.5), kind(68, 974.5)]).toEqual(['held', 'violated']);
    // By the wall clock, where there is one beside a clock that is ten seconds behind it.
    const wallMs = originMs + 975.5;
    const behind = { wallSentMs: wallMs, wallReceivedMs: wallMs, reset: `${second + 68}` };
    expect(verdictOf('headers.reset', [admitted(-9_024.5, -9_024.5, behind)])?.kind).toBe('held');
    expect(verdictOf('headers.reset', [admitted(0, 5, { reset: `${second + 90}` })])).toMatchObject({
      evidence: { expected: 'Unix seconds from now to 60 s from now (clock offset up to 5 s allowed)' },
    });
  });

  test('a clock of ours that may be off leaves a Reset as much more room', () => {
    const clocks = [
      { id: 'simulation', kind: 'monotonic', offsetMsMax: 0 },
      { id: 'other', kind: 'monotonic', offsetMsMax: 20_000 },
    ] as const;
    const kind = (secondsAhead: number) => {
      const other = admitted(0, 5, { clock: 'other', reset: `${second + secondsAhead}` });
      const trace = traceOf([admitted(0, 5), other], { clocks: [...clocks] });
      return verdictOn('headers.reset', trace)?.kind;
    };
    expect([kind(86), kind(89)]).toEqual(['held', 'violated']);
  });

  test('a wrong Reset proves nothing across a step of the machine’s clocks', () => {
    const wallMs = originMs + 9_000;
    const stepped = admitted(10, 15, {
      wallSentMs: wallMs,
      wallReceivedMs: wallMs + 5,
      reset: `${second - 30}`,
    });
    expect(verdictOf('headers.reset', [admitted(0, 5), stepped])).toMatchObject({
      kind: 'inconclusive',
      reason: 'the clock of this machine jumped during the run: run it again',
    });
  });
});
