import { expect, test } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { judgeTrace } from './judge-trace.ts';
import { admitted, type Given, limited, times, traceOf } from './testing/traces.ts';

/** What is said about counts and windows: clause and reason of each violation. */
function blamed(exchanges: readonly Exchange[]): readonly string[] {
  return judgeTrace(traceOf(exchanges)).clauses.flatMap(({ clause, verdict }) =>
    verdict.kind === 'violated' && /^(limits|window)\./.test(clause) ? [`${clause} ${verdict.reason}`] : [],
  );
}

function mediaOf(exchanges: readonly Exchange[]) {
  return judgeTrace(traceOf(exchanges)).clauses.find(({ clause }) => clause === 'limits.media')?.verdict;
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
