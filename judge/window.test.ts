import { expect, test } from 'vitest';
import type { ClauseId } from '../contract/clauses/registry.ts';
import type { Exchange } from '../contract/exchange.ts';
import { admitted, limited, type Setting, times, traceOf } from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

const judged = (clause: ClauseId, exchanges: readonly Exchange[]) => verdictOn(clause, traceOf(exchanges));

const granularity = (exchanges: readonly Exchange[], setting: Setting = {}) =>
  verdictOn('window.granularity', traceOf(exchanges, setting));

/** Places that are held a little longer than a window of so many ms. */
const heldLonger = (windowMs: number): readonly Exchange[] => [
  ...times(30, () => admitted(0, 5)),
  limited(100, 105),
  limited(windowMs - 100, windowMs - 95),
  limited(windowMs + 600, windowMs + 605, { requestId: 'held' }),
  admitted(windowMs + 700, windowMs + 705),
];

test('a place that is held longer is shown by the 429 that proves it, with the window that was asked for', () => {
  expect(granularity(heldLonger(60_000))).toMatchObject({
    kind: 'violated',
    evidence: { expected: 'a slot is free again after a minute', exchanges: [{ requestId: 'held' }] },
  });
  expect(granularity(heldLonger(30_000), { windowMs: 30_000 })).toMatchObject({
    kind: 'violated',
    evidence: { expected: 'a slot is free again after 30.000 s' },
  });
});

test('it is not judged where the count of any scope is wrong', () => {
  const standard = { scope: 'standard' } as const;
  const tooMany = [...times(121, () => admitted(0, 5, standard)), limited(200, 205, standard)];
  expect(granularity([...heldLonger(60_000), ...tooMany])).toMatchObject({
    kind: 'inconclusive',
    because: ['limits.standard'],
  });
});

test('of a length that only counting in parts saves nothing is said where no window was seen full twice', () => {
  const once = [...times(30, () => admitted(0, 5)), limited(100, 105), limited(61_030, 61_035)];
  const explained = /^a window of 61\.\d+ s .* explains what media did, and so does one of 60\.000 s/;
  expect(judged('window.length', once)).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringMatching(/^capacity was not seen returning/),
  });
  expect(judged('window.length', [...once, admitted(61_130, 61_135)])).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringMatching(explained),
  });
});

test('a limit of 1 rolls once no window of a clock explains it any more', () => {
  const one = { limits: { standard: 1, messages: 1, media: 1 } };
  const middle = [
    admitted(0, 5),
    limited(3_000, 3_005),
    limited(59_985, 59_990),
    admitted(60_020, 60_025),
    limited(60_040, 60_045),
    admitted(144_000, 144_005),
    limited(144_010, 144_015),
  ];
  expect(verdictOn('window.rolling', traceOf(middle, one))).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringMatching(
      /^what media did is explained as well by windows of 60\.000 s that begin by a clock: /,
    ),
  });
  expect(verdictOn('window.rolling', traceOf([...middle, limited(180_150, 180_155)], one))?.kind).toBe(
    'held',
  );
});
