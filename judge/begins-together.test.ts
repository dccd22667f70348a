import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import type { Attribution } from './analysis.ts';
import { withFollowers } from './begins-together.ts';
import { caseOf } from './case.ts';
import { judgeTrace } from './judge-trace.ts';
import { admitted, type Given, indeterminate, limited, times, traceOf } from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

/** What is said about counts and windows: clause and reason of each violation. */
function blamed(exchanges: readonly Exchange[]): readonly string[] {
  return judgeTrace(traceOf(exchanges)).clauses.flatMap(({ clause, verdict }) =>
    verdict.kind === 'violated' && /^(limits|window)\./.test(clause) ? [`${clause} ${verdict.reason}`] : [],
  );
}

function mediaOf(exchanges: readonly Exchange[]) {
  return verdictOn('limits.media', traceOf(exchanges));
}

/** At once, and one more that is refused. */
const burst = (count: number, fromMs: number, given: Given = {}): Exchange[] => [
  ...times(count, () => admitted(fromMs, fromMs + 10, given)),
  limited(fromMs + 100, fromMs + 110, given),
];

/** All places come back at about 50 s, whenever they were taken. */
const emptied = [
  ...times(29, () => admitted(1_000, 1_010)),
  ...burst(1, 30_000),
  limited(49_000, 49_010),
  ...burst(30, 50_010),
];

const ofB: Given = { key: 'B' };
/** One more than the limit, one of them before the others. */
const tooMany = (firstMs: number) => [admitted(firstMs, firstMs + 10, ofB), ...burst(30, 52_000, ofB)];

test('too many on both sides of a moment at which other windows were emptied are no wrong limit', () => {
  expect(blamed(tooMany(45_000))).toEqual(['limits.media over-admission']);
  expect(blamed([...emptied, ...tooMany(45_000)])).toEqual(['window.rolling early-return']);
  expect(mediaOf([...emptied, ...tooMany(45_000)])).toMatchObject({
    kind: 'inconclusive',
    reason: 'not judged: window.rolling is violated',
  });
});

const both = ['limits.media over-admission', 'window.rolling early-return'];

test.each<readonly [string, readonly Exchange[]]>([
  ['all of them came after it', tooMany(51_000)],
  ['all of them came before it', [admitted(44_000, 44_010, ofB), ...burst(30, 48_000, ofB)]],
  [
    'a 429 shows that the window of this key was not emptied then',
    [...times(15, () => admitted(40_000, 40_010, ofB)), ...burst(16, 52_000, ofB)],
  ],
  [
    'it is twice the limit and one',
    [...times(31, () => admitted(45_000, 45_010, ofB)), ...burst(30, 52_000, ofB)],
  ],
])('the limit is blamed too where %s', (_where, ofOther) => {
  expect(blamed([...emptied, ...ofOther])).toEqual(both);
});

test('no other deviation elsewhere explains too many', () => {
  const ofStandard: Given = { scope: 'standard' };
  const tooFew = [...burst(100, 1_000, ofStandard), ...burst(100, 62_500, ofStandard)];
  expect(blamed([...tooFew, ...tooMany(45_000)])).toEqual([
    'limits.standard wrongful-429',
    'limits.media over-admission',
  ]);
});

describe('windows of several keys that are emptied together', () => {
  const windowSeconds = 10;
  const limit = 2;

  /** Sent and answered, in whole seconds; without an answer where that is infinite. */
  type Sent = {
    readonly key: 'A' | 'B';
    readonly from: number;
    readonly to: number;
    readonly answer: 'admitted' | 'limited';
  };

  const sending = fc.record({
    key: fc.constantFrom('A' as const, 'A' as const, 'B' as const),
    from: fc.integer({ min: 0, max: 24 }),
    seconds: fc.constantFrom(0, 0, 0, 0, 1, 1, 3, 8, Number.POSITIVE_INFINITY),
    answer: fc.constantFrom('admitted' as const, 'admitted' as const, 'limited' as const),
  });
  const histories = fc
    .array(sending, { minLength: 3, maxLength: 12 })
    .map((all) => all.map(({ seconds, ...sent }): Sent => ({ ...sent, to: sent.from + seconds })));

  function exchangeOf({ key, from, to, answer }: Sent): Exchange {
    if (to === Number.POSITIVE_INFINITY) return indeterminate(1_000 * from, { key });
    return (answer === 'admitted' ? admitted : limited)(1_000 * from, 1_000 * to, { key });
  }

  /** 0.4 per mille of ten seconds and the millisecond by which the service's clock may be coarse. */
  const slack = 0.005;

  const isAnswered = ({ to }: Sent): boolean => to < Number.POSITIVE_INFINITY;

  /** Whether windows that begin at this second of every ten explain what one key did. */
  function explains(phase: number, own: readonly Sent[], isCounted: boolean): boolean {
    const begins = [-2, -1, 0, 1, 2, 3, 4].map((at) => phase + windowSeconds * at);
    const isRefusal = (one: Sent): boolean => one.answer === 'limited' && isAnswered(one);
    const isPassed = (one: Sent): boolean => one.answer === 'admitted' && isAnswered(one);
    const begun = Math.min(...own.map(({ from }) => from));
    const isFilled = (refusal: Sent): boolean => {
      const begin = begins.findLast((one) => one < refusal.from - slack) ?? Number.NEGATIVE_INFINITY;
      const since = own.filter(
        (one) =>
          one !== refusal &&
          (isCounted || !isRefusal(one)) &&
          one.from <= refusal.to &&
          one.to >= begin - slack,
      );
      return begin <= begun + slack || since.length >= limit;
    };
    const isKept = (begin: number): boolean =>
      own.filter((one) => isPassed(one) && one.from > begin + slack && one.to < begin + windowSeconds - slack)
        .length <= limit;
    return own.filter(isRefusal).every(isFilled) && begins.every(isKept);
  }

  const blame = (reason: string): Attribution => {
    const evidence = { expected: '', observed: '', exchanges: [], exchangesTotal: 0 };
    return { kind: 'blamed', clause: 'limits.media', reason, evidence };
  };

  /** Whether key A, whose limit was exceeded, follows B, to which places came back early. */
  function followsIn(exchanges: readonly Exchange[]): boolean {
    const limits = { standard: limit, messages: limit, media: limit };
    const { analyses } = caseOf(traceOf(exchanges, { limits, windowMs: 1_000 * windowSeconds }));
    const blamedSo = analyses.map((one) => ({
      ...one,
      attribution: blame(one.group.key === 'A' ? 'over-admission' : 'early-return'),
    }));
    return withFollowers(blamedSo).some(({ attribution }) => attribution.kind === 'follows');
  }

  // All that is known is in whole seconds: so each moment of the service is like one of these.
  const phases = Array.from({ length: 2 * windowSeconds }, (_, at) => at / 2);

  function somePhaseExplains(sent: readonly Sent[]): boolean {
    const keys = (['A', 'B'] as const).map((key) => sent.filter((one) => one.key === key));
    return [false, true].some((isCounted) =>
      phases.some((phase) => keys.every((own) => explains(phase, own, isCounted))),
    );
  }

  /** Key B's places came back early, at a moment of every ten seconds that its 429 leaves. */
  const emptiedAt = (ms: number) => [
    ...times(limit, () => admitted(ms, ms, ofB)),
    limited(ms + 9_990, ms + 9_990, ofB),
  ];
  const passed = (...sentMs: readonly number[]) => sentMs.map((ms) => admitted(ms, ms));

  it('leave the clocks as much as they may differ by in a window', () => {
    // B leaves the moments from 9.985 s to 10.005 s.
    const ended = (ms: number) => followsIn([...emptiedAt(0), ...passed(5_000, ms, ms)]);
    expect([ended(9_979), ended(9_981)]).toEqual([false, true]);
    const begun = (ms: number) => followsIn([...emptiedAt(0), ...passed(ms, 15_000, 15_000)]);
    expect([begun(10_009), begun(10_011)]).toEqual([true, false]);
  });

  it('are asked about in the order of the answers', () => {
    const waited = [limited(1_000, 9_000, ofB), limited(8_000, 8_000, ofB)];
    const later = times(limit, () => admitted(8_500, 8_500, ofB));
    const shut = [...times(limit, () => admitted(0, 0, ofB)), ...waited, ...later];
    expect(followsIn([...shut, ...passed(2_000, 5_000, 5_000)])).toBe(false);
    expect(followsIn([...shut, ...passed(2_000, 8_200, 8_200)])).toBe(true);
    const slow = [admitted(1_000, 9_000), ...passed(2_000, 2_000)];
    expect(followsIn([...slow, ...emptiedAt(5_000)])).toBe(true);
  });

  it('explain too many where some phase of them does', () => {
    const ofBoth = histories.filter((sent) => new Set(sent.map(({ key }) => key)).size === 2);
    fc.assert(
      fc.property(ofBoth, (sent) => {
        expect(followsIn(sent.map(exchangeOf))).toBe(somePhaseExplains(sent));
      }),
      { numRuns: 300 },
    );
  });
});
