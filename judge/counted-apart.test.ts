import { describe, expect, it, test } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { caseOf } from './case.ts';
import { countedApart } from './counted-apart.ts';
import { examineVerdicts } from './examination.ts';
import { admitted, type Given, limited, times, traceOf } from './testing/traces.ts';

const apartIn = (exchanges: readonly Exchange[]) => countedApart(caseOf(traceOf(exchanges)));

/** Answers one after another, ms apart, that give these values. */
const giving = (values: readonly number[], given: Given = {}, everyMs = 10): Exchange[] =>
  values.map((value, at) => admitted(at * everyMs, at * everyMs + 5, { remaining: String(value), ...given }));

const falling = (from: number, count: number) => Array.from({ length: count }, (_, at) => from - at);
const inTurn = falling(29, 6).flatMap((value) => [value, value]);

test('values that come again in turn show several that count apart', () => {
  expect(apartIn(giving(inTurn))).toEqual([
    'several processes or nodes behind http://127.0.0.1:1, or one for each connection, seem to count each for itself: ' +
      'answers to key A at media gave 5 values of X-RateLimit-Remaining more than once, in turn (28, 27, 26). ' +
      'Each of them lets the whole limit pass; counts that are kept outside of the process are shared',
  ]);
});

test('an address is named once, whichever of its windows show it', () => {
  const standard = giving(inTurn, { scope: 'standard' });
  expect(apartIn([...giving(inTurn), ...standard])).toEqual(apartIn(giving(inTurn)));
});

describe('one that counts is not called several', () => {
  it.each<readonly [string, readonly Exchange[]]>([
    ['where each value comes once', giving(falling(29, 20))],
    [
      'where few come again',
      giving([...falling(29, 4).flatMap((value) => [value, value]), ...falling(25, 9)]),
    ],
    ['where less than most do', giving([...inTurn, ...falling(23, 9)])],
    ['where it was started again', giving([...falling(29, 12), ...falling(29, 12)])],
    ['where it was started twice', giving([...falling(29, 6), ...falling(29, 9), ...falling(29, 12)])],
    ['where all answers say the same', giving(times(20, () => admitted(0, 0)).map(() => 29))],
    ['where a bucket gives back meanwhile', giving(inTurn, {}, 1_000)],
    ['where what is given again was refused', giving(inTurn, { status: 429, outcome: 'limited' })],
    ['where other requests of the scope are counted beside', giving(inTurn, { route: 'subpath' })],
    ['where requests cost more', giving(inTurn, { cost: 2 })],
    ['where what is given again failed', giving(inTurn, { status: 503, outcome: 'refused' })],
    [
      'where each of two nodes gives each value once',
      [...giving(falling(29, 6)), ...giving(falling(29, 6), { node: 1 })],
    ],
    ['where there is nothing', []],
  ])('%s', (_where, exchanges) => {
    expect(apartIn(exchanges)).toEqual([]);
  });

  it('for what comes back after the window, or after a 429', () => {
    const once = falling(29, 6).map((value, at) => admitted(at, at + 1, { remaining: String(value) }));
    const again = (fromMs: number) =>
      falling(28, 5).map((value, at) => admitted(fromMs + at, fromMs + at + 1, { remaining: String(value) }));
    expect(apartIn([...once, ...again(50)])).toHaveLength(1);
    expect(apartIn([...once, ...again(60_000)])).toEqual([]);
    expect(apartIn([...once, limited(40, 41), ...again(50)])).toEqual([]);
  });

  it('but for what came again before all came back, whatever follows', () => {
    const later = admitted(70_000, 70_005, { remaining: '20' });
    expect(apartIn([...giving(inTurn), later])).toHaveLength(1);
  });
});

test('it is said beside a violation alone', () => {
  const exchanges = giving(inTurn);
  const { judgement, changes } = examineVerdicts(traceOf(exchanges));
  expect(judgement.clauses.some(({ verdict }) => verdict.kind === 'violated')).toBe(true);
  expect(changes).toHaveLength(1);
});
