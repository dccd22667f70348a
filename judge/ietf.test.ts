import { describe, expect, it } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { admitted, type Given, limited, type Setting, times, traceOfDocument } from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

const verdictIn = (clause: string, exchanges: readonly Exchange[], setting?: Setting) =>
  verdictOn(clause, traceOfDocument(exchanges, { headers: 'ietf', errors: 'none' }, setting));

const policy = '"default";q=4;w=60';

/** What an answer says: so many are left, for so many seconds. */
const saying = (remaining: number, seconds: number | null = null): Given => ({
  limit: policy,
  remaining: `"default";r=${remaining}${seconds === null ? '' : `;t=${seconds}`}`,
  reset: null,
});

describe('the policy of an answer', () => {
  const verdictOf = (limit: string | null, remaining: string | null, setting?: Setting) =>
    verdictIn('headers.policy', [admitted(0, 5, { limit, remaining, reset: null })], setting);

  it.each([
    [policy, '"default";r=3;t=60'],
    [policy, null],
    ['"default";q=4', '"default";r=3'],
    ['"burst";q=2;w=1, "default";q=4;w=60', '"default";r=3'],
  ])('may be %j with %j', (limit, remaining) =>
    expect(verdictOf(limit, remaining)).toEqual({ kind: 'held', summary: 'on 1 answer' }),
  );

  it.each([
    ['"default', '"default";r=3', 'RateLimit-Policy is no list: "default'],
    ['', '"default";r=3', 'RateLimit-Policy is no list: '],
    ['default;q=4', '"default";r=3', 'RateLimit-Policy names no string: default;q=4'],
    ['"a";q=4, b;q=4', '"a";r=3', 'RateLimit-Policy names no string: "a";q=4, b;q=4'],
    ['"default";w=60', '"default";r=3', 'RateLimit-Policy has no integer q: "default";w=60'],
    ['"a";q=4, "b"', '"a";r=3', 'RateLimit-Policy has no integer q: "a";q=4, "b"'],
    [policy, '"default";q=3', 'RateLimit has no integer r: "default";q=3'],
    [policy, 'x', 'RateLimit names no string: x'],
    [
      '"default";q=4;w=1.5',
      '"default";r=3',
      'RateLimit-Policy has a w or t that is no integer: "default";q=4;w=1.5',
    ],
    [
      '"a";q=4;w=60, "b";q=4;w=x',
      '"a";r=3',
      'RateLimit-Policy has a w or t that is no integer: "a";q=4;w=60, "b";q=4;w=x',
    ],
    [policy, '"default";r=3;t=x', 'RateLimit has a w or t that is no integer: "default";r=3;t=x'],
    ['"default";q=4;w=30', '"default";r=3', 'w=30'],
    [`"${'x'.repeat(100)}`, null, `RateLimit-Policy is no list: "${'x'.repeat(79)}`],
  ])('may not be %j with %j', (limit, remaining, flaw) =>
    expect(verdictOf(limit, remaining)).toMatchObject({
      kind: 'violated',
      reason: 'policy',
      evidence: {
        expected: 'structured fields, with w=60 where w is there',
        observed: `${flaw} (1 of 1 answers)`,
      },
    }),
  );

  it('names a window of the run, rounded either way where it is no whole number of seconds', () => {
    const kinds = ['1', '2', '3', '60'].map(
      (window) => verdictOf(`"default";q=4;w=${window}`, '"default";r=3', { windowMs: 1_500 })?.kind,
    );
    expect(kinds).toEqual(['held', 'held', 'violated', 'violated']);
  });

  it('is judged where it is there, and open where no answer carries it', () => {
    const without = admitted(0, 5, { limit: null, remaining: '"default";r=3', reset: null });
    expect(verdictIn('headers.policy', [without, admitted(10, 15, saying(2))])).toEqual({
      kind: 'held',
      summary: 'on 1 answer',
    });
    const wrong = admitted(20, 25, { ...saying(1), limit: '"default";q=4;w=30' });
    expect(verdictIn('headers.policy', [without, admitted(10, 15, saying(2)), wrong])).toMatchObject({
      evidence: { observed: 'w=30 (1 of 2 answers)', exchanges: [{ requestId: wrong.requestId }] },
    });
    expect(verdictIn('headers.policy', [without])).toMatchObject({
      kind: 'inconclusive',
      reason: 'no answer carried RateLimit-Policy',
    });
  });
});

describe('what is left until the effective window is over', () => {
  /** All four at once, of which the last one says how long nothing is left. */
  const full = (seconds: number | null) => [
    ...times(3, (at) => admitted(at, 5 + at, saying(3 - at))),
    admitted(10, 15, saying(0, seconds)),
  ];
  const verdictOf = (exchanges: readonly Exchange[]) => verdictIn('headers.effective-window', exchanges);
  /** The window of the limit is over then, and places are free again. */
  const later = (sentMs: number, receivedMs: number, given: Given = {}) =>
    admitted(sentMs, receivedMs, { ...saying(3), ...given });

  it('bounds what is admitted: what comes beyond it is shown after the answer that says so', () => {
    const answers = full(90);
    const beyond = [0, 1, 2].map((at) => later(61_000 + at, 61_005 + at, saying(3 - at)));
    expect(verdictOf([...answers, ...beyond])).toMatchObject({
      kind: 'violated',
      reason: 'more-than-r',
      evidence: {
        expected: 'at most 0 of key A admitted at media within the 90 s after an answer with r=0;t=90',
        observed: '3 were',
        exchanges: [{ requestId: answers[3]?.requestId }, { requestId: beyond[0]?.requestId }],
        exchangesTotal: 2,
      },
    });
  });

  it.each([
    ['as many as are left', 1, 'held'],
    ['one more', 2, 'violated'],
  ])('allows %s', (_, count, kind) => {
    const told = admitted(61_000, 61_005, saying(1, 60));
    const before = times(2, (at) => admitted(60_500 + at, 60_505 + at, saying(3 - at)));
    const after = times(count, (at) => admitted(62_000 + at, 62_005 + at, saying(0)));
    const exchanges = [...full(null), ...before, told, ...after];
    // The fifth in a window is more than the limit too, whose clause that is then.
    expect(verdictOf(exchanges)?.kind).toBe(kind === 'held' ? 'held' : 'inconclusive');
  });

  it.each([
    ['is over, by the fastest clock and a second for rounding', 88_973, 'violated'],
    ['may be over', 88_975, 'held'],
  ])('ends where it %s', (_, receivedMs, kind) => {
    expect(verdictOf([...full(90), later(receivedMs - 5, receivedMs)])?.kind).toBe(kind);
  });

  it('says nothing of what may have been decided before the answer', () => {
    const [first, second, third] = full(90);
    const told = admitted(10, 62_010, saying(0, 90));
    const kinds = [61_500, 62_010, 62_011].map(
      (sentMs) => verdictOf([first, second, third, told, later(sentMs, 62_500)] as Exchange[])?.kind,
    );
    expect(kinds).toEqual(['held', 'held', 'violated']);
  });

  it('says nothing across a step of the clock', () => {
    const stepped = later(62_000, 62_005, saying(2));
    const wall = { wallSentMs: stepped.sentMs + 5_000, wallReceivedMs: stepped.sentMs + 5_005 };
    expect(verdictOf([...full(90), later(61_000, 61_005), { ...stepped, ...wall }])?.kind).toBe('held');
  });

  it('is open where what is left is told wrong', () =>
    expect(verdictOf([admitted(0, 5, saying(9, 60))])).toMatchObject({
      kind: 'inconclusive',
      because: ['headers.remaining'],
    }));

  it('counts the answers that say both, and is open where none does', () => {
    expect(verdictOf(full(60))).toEqual({ kind: 'held', summary: '1 answer' });
    expect(verdictOf(full(null))).toMatchObject({
      kind: 'inconclusive',
      reason: 'no answer carried r and t',
    });
  });
});

describe('Retry-After beside t', () => {
  const refused = (retryAfter: string | null, seconds: number | null) =>
    limited(100, 105, { ...saying(0, seconds), retryAfter });
  const verdictOf = (...exchanges: readonly Exchange[]) => verdictIn('headers.retry-after-beyond', exchanges);

  it('may be as long, or longer', () =>
    expect(verdictOf(refused('5', 5), refused('6', 5), refused(null, 5), refused('3', null))).toEqual({
      kind: 'held',
      summary: 'on 2 answers',
    }));

  it('is not shorter', () => {
    const early = refused('4', 5);
    expect(verdictOf(refused('5', 5), early)).toMatchObject({
      kind: 'violated',
      reason: 'before-t',
      evidence: {
        expected: 'Retry-After 5 or more',
        observed: '4, with t=5 (1 of 2 answers)',
        exchanges: [{ requestId: early.requestId }],
      },
    });
  });

  it('is not judged where one of them is missing', () =>
    expect(verdictOf(refused(null, 5), refused('3', null))).toMatchObject({
      kind: 'inconclusive',
      reason: 'no answer carried both Retry-After in seconds and t',
    }));
});
