import { describe, expect, it } from 'vitest';
import type { ClauseId } from '../contract/clauses/registry.ts';
import type { Exchange } from '../contract/exchange.ts';
import {
  admitted,
  indeterminate,
  limited,
  originMs,
  type Setting,
  times,
  traceOf,
} from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

const limits = { standard: 4, messages: 4, media: 4 };

function verdictOf(clause: ClauseId, exchanges: readonly Exchange[], setting: Setting = {}) {
  return verdictOn(clause, traceOf(exchanges, { limits, ...setting }));
}

const asking = (seconds: number, requestId = 'asking') => ({
  requestId,
  body: JSON.stringify({
    success: false,
    error: { code: 'rate_limit_exceeded', message: 'x', retry_after_seconds: seconds },
  }),
});

describe('error.retry-after', () => {
  it.each([
    [60_000, 120],
    [60_500, 122],
    [1_000, 3],
  ])('of a window of %d ms is at most %d s', (windowMs, most) => {
    const verdict = (seconds: number) =>
      verdictOf('error.retry-after', [limited(0, 5, asking(seconds))], { windowMs });
    expect(verdict(most)?.kind).toBe('held');
    expect(verdict(most + 1)).toMatchObject({
      reason: 'too-long',
      evidence: {
        expected: `an integer from 1 to ${most}`,
        observed: expect.stringContaining(`error.retry_after_seconds ${most + 1} `),
      },
    });
  });

  it.each<readonly [unknown, string]>([
    [undefined, 'absent'],
    ['5', 'not-an-integer'],
    [1.5, 'not-an-integer'],
    [0, 'zero'],
  ])('is violated by %j: %s', (retry_after_seconds, reason) => {
    const error = { code: 'rate_limit_exceeded', message: 'x', retry_after_seconds };
    const body = JSON.stringify({ success: false, error });
    expect(verdictOf('error.retry-after', [limited(0, 5, { body })])).toMatchObject({
      kind: 'violated',
      reason,
    });
  });

  it('says how a number is written that is no plain integer, as far as that goes', () => {
    const body = asking(5).body.replace(':5}', `:5.${'0'.repeat(60)}}`);
    expect(verdictOf('error.retry-after', [limited(0, 5, { body })])).toMatchObject({
      reason: 'not-an-integer',
      evidence: { observed: expect.stringMatching(/is written as 5\.0{38} \(/) },
    });
  });
});

describe('error.retry-after-length', () => {
  const clause = 'error.retry-after-length';

  it('is a window, and two seconds to spare', () => {
    expect(verdictOf(clause, [limited(0, 5, asking(62))])?.kind).toBe('held');
    expect(verdictOf(clause, [limited(0, 5, asking(63))])).toMatchObject({
      reason: 'longer-than-needed',
      evidence: {
        expected: 'at most 62',
        observed: expect.stringContaining('error.retry_after_seconds 63 '),
      },
    });
  });

  it('is not judged where the figure itself is wrong, or the count', () => {
    expect(verdictOf(clause, [limited(0, 5, asking(0))])).toMatchObject({ because: ['error.retry-after'] });
    const tooMany = [...times(5, () => admitted(0, 5)), limited(100, 105, asking(63))];
    expect(verdictOf(clause, tooMany)).toMatchObject({ kind: 'inconclusive', because: ['limits.media'] });
  });
});

describe('error.retry-after-header', () => {
  it.each<readonly [string, readonly Exchange[], object]>([
    ['no 429', [admitted(0, 5)], { kind: 'inconclusive', reason: 'no 429 was seen' }],
    ['none that carries it', [limited(0, 5)], { kind: 'observed', value: 'none' }],
    [
      'some that carry it',
      [
        limited(0, 5),
        limited(10, 15, { ...asking(7), retryAfter: '7' }),
        limited(20, 25, { ...asking(9), retryAfter: '9' }),
        limited(30, 35, { ...asking(7), retryAfter: '8' }),
      ],
      { kind: 'observed', value: 'on 3 of 4 429s, 2 agree with the body' },
    ],
  ])('counts of %s those that say what the body does', (_what, exchanges, expected) => {
    expect(verdictOf('error.retry-after-header', exchanges)).toMatchObject(expected);
  });
});

describe('error.retry-after-suffices', () => {
  const clause = 'error.retry-after-suffices';
  const filled = times(4, () => admitted(0, 5));
  /** Full, and then a 429 that asks for five seconds: they are over for certain at 5,108 ms. */
  const full = [...filled, limited(100, 105, asking(5))];

  it('is violated by a second 429 once the wait is certainly over', () => {
    expect(verdictOf(clause, [...full, limited(5_107, 5_112)])?.kind).toBe('inconclusive');
    expect(verdictOf(clause, [...full, limited(5_109, 5_112, { requestId: 'again' })])).toMatchObject({
      reason: 'second-429',
      evidence: {
        expected: 'admitted once 5 s have passed since the 429',
        observed: 'another 429 for key A at media after 5.004 s, with nothing admitted in between',
        exchanges: [{ requestId: 'asking' }, { requestId: 'again' }],
      },
    });
  });

  it('is held by an admission within a second after the wait, and says the longest', () => {
    const back = (atMs: number) => [...filled, limited(100, 105, asking(60)), admitted(atMs, atMs + 5)];
    // From 60,130 ms on.
    const reason = 'nothing was admitted within a second after a retry_after_seconds was over';
    expect([60_129, 61_131].map((ms) => verdictOf(clause, back(ms)))).toMatchObject([{ reason }, { reason }]);
    const expected = { kind: 'held', summary: 'media admitted after the 60 s that a 429 asked for' };
    expect([60_131, 61_129].map((ms) => verdictOf(clause, back(ms)))).toEqual([expected, expected]);
    const two = [
      ...filled,
      limited(100, 105, asking(60)),
      limited(200, 205, asking(59)),
      admitted(60_131, 60_136),
    ];
    expect(verdictOf(clause, two)).toMatchObject({ summary: expected.summary });
  });

  it('asks of all waits that were over the one that was asked for last', () => {
    const overtaken = [
      ...filled,
      limited(100, 105, asking(5, 'long')),
      limited(200, 205, asking(1, 'short')),
    ];
    expect(verdictOf(clause, [...overtaken, limited(5_300, 5_305)])).toMatchObject({
      evidence: { exchanges: [{ requestId: 'short' }, {}] },
    });
    const among = [100, 200, 300].map((ms, at) => limited(ms, ms + 5, asking(at === 1 ? 5 : 1, `${ms}`)));
    expect(verdictOf(clause, [...filled, ...among, limited(3_000, 3_005)])).toMatchObject({
      evidence: { exchanges: [{ requestId: '300' }, {}] },
    });
  });

  it.each<readonly [string, readonly Exchange[]]>([
    ['a request without an answer', [...full, indeterminate(3_000)]],
    [
      'one that was answered when the first 429 was asked for',
      [...filled, admitted(50, 100), ...full.slice(4)],
    ],
    ['one that was sent when the second was answered', [...full, admitted(5_205, 5_210)]],
    ['a rejection, which may count,', [...full, limited(3_000, 3_005)]],
  ])('proves nothing where %s may have taken the place', (_what, exchanges) => {
    const { kind } =
      verdictOf(clause, [...exchanges, limited(5_200, 5_205)], { limits: { ...limits, media: 5 } }) ?? {};
    expect(kind).not.toBe('violated');
  });

  it('is violated where nothing was ever admitted', () => {
    const refused = [limited(100, 105, asking(5)), limited(5_200, 5_205)];
    expect(verdictOf(clause, refused)).toMatchObject({ kind: 'violated', reason: 'second-429' });
  });

  it('asks, where rejections are seen not to count, only what was admitted since the first 429', () => {
    const uncounted = [
      ...filled,
      ...times(4, () => limited(20_000, 20_005, asking(60))),
      admitted(60_140, 60_145),
    ];
    const kind = (answeredMs: number) =>
      verdictOf(clause, [
        ...uncounted,
        ...times(3, () => admitted(60_150, answeredMs)),
        limited(60_200, 60_205, asking(5)),
        limited(60_250, 60_255, asking(9)),
        limited(65_400, 65_405),
      ])?.kind;
    expect(kind(60_199)).toBe('violated');
    expect(kind(60_200)).not.toBe('violated');
  });

  it('proves nothing where others use the key, or the machine’s clocks moved apart meanwhile', () => {
    const again = limited(5_200, 5_205);
    expect(verdictOf(clause, [...full, again], { deployment: { exclusiveKeys: false } })).toMatchObject({
      reason: 'others may use the key too (exclusiveKeys: false)',
    });
    const wallMs = originMs + 5_300;
    const stepped = { ...again, wallSentMs: wallMs, wallReceivedMs: wallMs + 5 };
    expect(verdictOf(clause, [...full, stepped])?.kind).toBe('inconclusive');
  });

  it('is not judged where the figure is wrong, or the count of the scope', () => {
    expect(verdictOf(clause, [...filled, limited(100, 105, asking(0)), limited(5_200, 5_205)])).toMatchObject(
      {
        because: ['error.retry-after'],
      },
    );
    expect(verdictOf(clause, [...full, admitted(110, 115), limited(5_200, 5_205)])).toMatchObject({
      kind: 'inconclusive',
      because: [expect.stringMatching(/^(limits|window)/)],
    });
    const another = times(5, () => admitted(0, 5, { key: 'B' }));
    expect(verdictOf(clause, [...another, ...full, limited(5_200, 5_205)])).toMatchObject({
      kind: 'inconclusive',
      because: ['limits.media'],
    });
  });
});
