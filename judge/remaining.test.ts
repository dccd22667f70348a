import { describe, expect, it, test } from 'vitest';
import type { ClauseId } from '../contract/clauses/registry.ts';
import type { Exchange } from '../contract/exchange.ts';
import { groupsOf } from './entries.ts';
import type { Reading } from './lengths.ts';
import { remainingBounds } from './remaining-bounds.ts';
import {
  admitted,
  type Given,
  indeterminate,
  limited,
  originMs,
  type Setting,
  times,
  traceOf,
  traceOfDocument,
} from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

const limits = { standard: 4, messages: 4, media: 4 };

/** What Remaining may say on the answer to the request of this id. */
function boundsAt(exchanges: readonly Exchange[], reading: Reading = 'not-counted') {
  const [group] = groupsOf(traceOf(exchanges, { limits }));
  const entry = group?.entries.find(({ exchange }) => exchange.requestId === 'asked');
  if (group === undefined || entry === undefined) throw new Error('nothing is asked');
  const { lowest, highest, leaving } = remainingBounds(group, reading)(entry);
  return [lowest, highest, leaving];
}

const asked = { requestId: 'asked' };
const two = [admitted(0, 5), admitted(10, 15)];

describe('what remains, at least and at most, and how many may be leaving', () => {
  it.each<readonly [string, readonly Exchange[], readonly number[]]>([
    ['alone', [admitted(0, 5, asked)], [3, 3, 0]],
    ['after others', [...two, admitted(20, 25, asked)], [1, 1, 0]],
    ['beside one that is answered later', [admitted(0, 100), admitted(50, 60, asked)], [2, 3, 0]],
    ['before one that is sent later', [admitted(0, 5, asked), admitted(5, 10)], [2, 3, 0]],
    ['beside one without an answer', [indeterminate(0), admitted(50, 60, asked)], [2, 3, 0]],
    [
      'for a request that takes no place',
      [...two, admitted(20, 25, { ...asked, status: 404, outcome: 'refused' })],
      [1, 2, 0],
    ],
    ['until a window is over', [...two, admitted(59_900, 59_974, asked)], [1, 1, 0]],
    ['while the first is leaving', [...two, admitted(59_900, 59_975, asked)], [1, 2, 1]],
    [
      'once all others are gone by a clock in whole seconds too',
      [...two, admitted(61_041, 61_046, asked)],
      [3, 3, 0],
    ],
    ['while one of them may be held by such a clock', [...two, admitted(61_035, 61_046, asked)], [2, 3, 1]],
    ['beyond the limit', [...times(6, () => admitted(0, 5)), admitted(20, 25, asked)], [0, 0, 0]],
  ])('%s', (_what, exchanges, expected) => {
    expect(boundsAt(exchanges)).toEqual(expected);
  });

  it('depends on whether rejections count', () => {
    const exchanges = [admitted(0, 5), limited(10, 15), admitted(20, 25, asked)];
    expect(boundsAt(exchanges)).toEqual([2, 2, 0]);
    expect(boundsAt(exchanges, 'counted')).toEqual([1, 1, 0]);
    expect(boundsAt([limited(10, 15, asked)], 'counted')).toEqual([3, 4, 0]);
  });
});

function verdictOf(clause: ClauseId, exchanges: readonly Exchange[], setting: Setting = {}) {
  return verdictOn(clause, traceOf(exchanges, { limits, ...setting }));
}

const saying = (remaining: string | null, given: Given = {}): Given => ({ remaining, ...given });

describe('headers.remaining', () => {
  const clause = 'headers.remaining';
  const all = [admitted(0, 5, saying('3')), admitted(10, 15, saying('2'))];

  it('is held by the values of each scope', () => {
    const standard = admitted(0, 5, saying('3', { scope: 'standard', key: 'B' }));
    expect(verdictOf(clause, [...all, standard])).toEqual({
      kind: 'held',
      summary: 'media 2 values of key A; standard 1 value of key B',
    });
  });

  it('is not judged on 429s, on answers of another layer, or where nothing carries it', () => {
    const others = [
      limited(20, 25, saying('9')),
      admitted(30, 35, saying('9', { status: 500, outcome: 'refused' })),
    ];
    const full = ['1', '0'].map((value) => admitted(12, 15, saying(value)));
    expect(verdictOf(clause, [...all, ...full, ...others])).toMatchObject({
      summary: 'media 4 values of key A',
    });
    expect(verdictOf(clause, [limited(20, 25, saying('0'))])).toEqual({
      kind: 'inconclusive',
      reason: 'no admitted request carried X-RateLimit-Remaining',
      because: [],
    });
  });

  it('is not judged where the count of the scope is wrong, of whatever key', () => {
    const tooMany = times(5, () => admitted(0, 5, { key: 'B', remaining: null }));
    expect(verdictOf(clause, [...tooMany, admitted(10, 15, saying('9'))])).toMatchObject({
      kind: 'inconclusive',
      because: ['limits.media'],
    });
  });

  it('takes an answer that does not carry it for no value', () => {
    expect(verdictOf(clause, [...all, admitted(61_060, 61_065, saying(null))])).toEqual({
      kind: 'held',
      summary: 'media 2 values of key A',
    });
  });

  it('is violated with the worst first, and all that do not fit', () => {
    const wrong = ['3', '4', '4'].map((value, at) =>
      admitted(10 + at * 10, 15 + at * 10, saying(value, { requestId: `r${at}` })),
    );
    expect(verdictOf(clause, [admitted(0, 5, saying('3')), ...wrong])).toMatchObject({
      reason: 'too-high',
      evidence: {
        expected: 'X-RateLimit-Remaining 0 at this moment',
        observed: '4 (3 answers at media do not fit the count)',
        exchanges: [{ requestId: 'r2' }, { requestId: 'r0' }, { requestId: 'r1' }],
      },
    });
    const beside = [admitted(0, 100, saying(null)), admitted(50, 60, saying('4'))];
    expect(verdictOf(clause, beside)).toMatchObject({
      evidence: {
        expected: 'X-RateLimit-Remaining from 2 to 3 at this moment',
        observed: '4 (1 answer at media does not fit the count)',
      },
    });
  });

  it('is judged by what the document promises where that is no rolling window', () => {
    const media = { title: 'media', limit: 4, promise: 'fixed' };
    const told = (...values: readonly string[]) =>
      verdictOn(
        clause,
        traceOfDocument(
          values.map((value, at) => admitted(at * 30_000, at * 30_000 + 5, saying(value))),
          { scopes: { media } },
        ),
      );
    // A window may have begun in between: a rolling one would still hold the first.
    expect(told('3', '3')).toEqual({ kind: 'held', summary: 'media 2 values of key A below the limit' });
    expect(told('4', '3')).toMatchObject({
      reason: 'too-high',
      evidence: {
        expected: expect.stringMatching(/^X-RateLimit-Remaining /),
        observed: '4 (1 answer at media does not fit the count)',
      },
    });
  });

  it('is too low only once nothing from before the run explains it', () => {
    const low = (atMs: number) => [...all, admitted(atMs, atMs + 5, saying('1'))];
    expect(verdictOf(clause, low(61_024))?.kind).toBe('held');
    expect(verdictOf(clause, low(61_060))).toMatchObject({
      reason: 'too-low',
      evidence: { expected: 'X-RateLimit-Remaining 3 at this moment' },
    });
    const lower = [admitted(61_060, 61_065, saying('1')), admitted(61_100, 61_105, saying('0'))];
    expect(verdictOf(clause, [...all, ...lower])).toMatchObject({
      evidence: {
        expected: 'X-RateLimit-Remaining 3 at this moment',
        observed: expect.stringMatching(/^1 \(2 /),
      },
    });
    const lowest = [admitted(61_060, 61_065, saying('2')), admitted(61_100, 61_105, saying('0'))];
    expect(verdictOf(clause, [admitted(0, 5, saying(null)), ...lowest])).toMatchObject({
      evidence: {
        expected: 'X-RateLimit-Remaining 2 at this moment',
        observed: expect.stringMatching(/^0 \(2 /),
      },
    });
    expect(verdictOf(clause, low(61_060), { deployment: { exclusiveKeys: false } })?.kind).toBe('held');
    const standard = low(61_060).map((one) => ({ ...one, scope: 'standard' as const }));
    expect(verdictOf(clause, standard, { deployment: { perSecond: 'cap' } })?.kind).toBe('held');
  });

  it('fits the reading of rejections that fits best', () => {
    const full = [...all, ...['1', '0'].map((value) => admitted(20, 25, saying(value)))];
    const refused = times(2, () => limited(30_000, 30_005));
    const counted = [...full, ...refused, admitted(62_000, 62_005, saying('1'))];
    expect(verdictOf(clause, counted)?.kind).toBe('held');
    const neither = [...counted, admitted(62_100, 62_105, saying('4'))];
    const one = { reason: 'too-high', evidence: { exchangesTotal: 1 } };
    expect(verdictOf(clause, neither)).toMatchObject(one);
    const uncounted = [admitted(62_000, 62_005, saying('3')), admitted(62_100, 62_105, saying('4'))];
    expect(verdictOf(clause, [...full, ...refused, ...uncounted])).toMatchObject(one);
  });

  it('is open where the machine’s clocks moved apart before it', () => {
    const wallMs = originMs + 5_010;
    const later = { wallSentMs: wallMs, wallReceivedMs: wallMs + 5 };
    expect(verdictOf(clause, [...all, admitted(20, 25, saying('4', later))])).toEqual({
      kind: 'inconclusive',
      reason: 'the clock of this machine jumped during the run: run it again',
      because: [],
    });
  });
});

describe('headers.remaining-on-429', () => {
  const clause = 'headers.remaining-on-429';
  const full = times(4, () => admitted(0, 5, saying('0')));

  test.each<readonly [string, readonly Exchange[], string]>([
    ['nothing but zero', [...full, limited(100, 105)], '0 on 1 429'],
    [
      'one while a place came free',
      [...full, limited(100, 105), limited(59_990, 60_010, saying('4'))],
      '0 on 1 429; 1 was written when a place may have come free',
    ],
    [
      'two while places came free',
      [...full, limited(100, 105), ...times(2, () => limited(59_990, 60_010, saying('4')))],
      '0 on 1 429; 2 were written when a place may have come free',
    ],
  ])('is held by %s', (_what, exchanges, summary) => {
    expect(verdictOf(clause, exchanges)).toEqual({ kind: 'held', summary });
  });

  test('is held by all of a window that may have begun anew meanwhile, where the document has such windows', () => {
    const exchanges = [...full, limited(100, 105, saying('4'))];
    const media = { title: 'media', limit: 4, promise: 'fixed' };
    expect(verdictOn(clause, traceOfDocument(exchanges, { scopes: { media } }))).toEqual({
      kind: 'held',
      summary: '1 429 was written when a place may have come free',
    });
    expect(verdictOf(clause, exchanges)?.kind).toBe('violated');
  });

  test('is not judged on those that a cap per second may have caused, though others are', () => {
    const standard = (ms: number, make: typeof admitted, remaining = '1') =>
      make(ms, ms + 5, { scope: 'standard', remaining });
    const passed = [60_000, 60_600, 61_200, 61_800].map((ms) => standard(ms, admitted));
    const exchanges = [
      standard(0, admitted),
      standard(100, limited, '4'),
      ...passed,
      standard(64_500, limited, '0'),
    ];
    expect(verdictOf(clause, exchanges)).toEqual({ kind: 'held', summary: '0 on 1 429' });
  });

  test.each<readonly [string, readonly Exchange[], object]>([
    ['no 429', full, { reason: 'no 429 was seen' }],
    ['none carries it', [limited(0, 5, saying(null))], { because: ['headers.present'] }],
    [
      'none carries an integer',
      [limited(0, 5, saying('-1')), limited(0, 5, saying(null))],
      { reason: 'no 429 carries an integer X-RateLimit-Remaining to judge', because: [] },
    ],
    [
      'all may come from a cap per second',
      [0, 1, 2].map((at) =>
        (at < 2 ? admitted : limited)(at * 10, at * 10 + 5, { scope: 'standard', remaining: '2' }),
      ),
      { reason: expect.stringContaining('see perSecond'), because: [] },
    ],
  ])('is open where %s', (_what, exchanges, expected) => {
    expect(verdictOf(clause, exchanges)).toMatchObject({ kind: 'inconclusive', ...expected });
  });

  test('is open where the machine’s clocks moved apart before it', () => {
    const wallMs = originMs + 5_100;
    const later = { wallSentMs: wallMs, wallReceivedMs: wallMs + 5 };
    expect(verdictOf(clause, [...full, limited(100, 105, saying('2', later))])).toMatchObject({
      kind: 'inconclusive',
      reason: 'the clock of this machine jumped during the run: run it again',
    });
  });

  test('is violated by what more than could come free, and says how much that was', () => {
    const wrong = [
      limited(100, 105, saying('2')),
      limited(110, 115),
      limited(120, 125, saying('1', { requestId: 'last' })),
    ];
    expect(verdictOf(clause, [...full, ...wrong])).toMatchObject({
      reason: 'not-zero',
      evidence: {
        expected: 'X-RateLimit-Remaining 0 on a 429',
        observed: '2 (2 of 3 429s do not fit)',
        exchanges: [{}, { requestId: 'last' }],
      },
    });
    const leaving = [
      admitted(0, 5),
      ...times(3, () => admitted(20_000, 20_005)),
      limited(59_990, 60_010, saying('2')),
    ];
    expect(verdictOf(clause, leaving)).toMatchObject({
      evidence: { expected: 'X-RateLimit-Remaining from 0 to 1 on a 429 while places may come free' },
    });
  });

  test('needs, of a sole user once a window has passed, a place that leaves', () => {
    const late = [
      admitted(0, 5),
      ...times(2, () => admitted(62_000, 62_005)),
      limited(62_100, 62_105, saying('2')),
    ];
    const kind = (setting: Setting = {}) => verdictOf(clause, late, setting)?.kind;
    expect(kind()).toBe('violated');
    expect(kind({ deployment: { exclusiveKeys: false } })).toBe('held');
    const early = [admitted(0, 5), limited(100, 105, saying('3'))];
    expect(verdictOf(clause, early)?.kind).toBe('held');
  });
});
