import { describe, expect, it } from 'vitest';
import { type LimitPart, partOf } from '../../contract/document/further-limit.ts';
import type { SinglePromise } from '../../contract/document/promise.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { Entry } from '../entries.ts';
import { contradictionBy, promisedIn } from '../testing/proved.ts';
import { admitted, limited, times, traceOf } from '../testing/traces.ts';
import type { Contradiction, PromisedGroup, Proving } from './prover.ts';
import { proveSeveral, refusalsOfPart } from './several.ts';

const minute = partOf({ limit: 10, promise: 'rolling' }, { name: null, seconds: 60 });
const second = partOf({ limit: 4, promise: 'fixed' }, { name: 'second', seconds: 1 });
const parts = [minute, second] as const;

/** Which of these refusals contradict a limit, if it is so high; by what kind. */
type Rule = (refusals: readonly Exchange[], limit: number) => Contradiction['kind'] | null;

const never: Rule = () => null;
/** A 429 that came, however low the limit is. */
const any: Rule = (refusals) => (refusals.length === 0 ? null : 'wrongful-429');

type Ask = { readonly part: LimitPart; readonly promised: PromisedGroup };

/** Provers that say of each part what its rule says, and which ask is theirs. */
function proversOf(ofMinute: Rule, ofSecond: Rule) {
  const asks: Ask[] = [];
  const explaining: Ask[] = [];
  const provingOf = (promise: SinglePromise): Proving => {
    const [part, rule] = promise === minute.promise ? [minute, ofMinute] : [second, ofSecond];
    const explained: Proving['explained'] = (promised) => {
      explaining.push({ part, promised });
      return promised.refusals.filter(({ exchange }) => rule([exchange], promised.group.limit) === null);
    };
    const prove: Proving['prove'] = (promised) => {
      asks.push({ part, promised });
      const refusals = promised.refusals.map(({ exchange }) => exchange);
      const kind = rule(refusals, promised.group.limit);
      const [first] = promised.group.entries as [Entry];
      // What was sent later stands first.
      const by = part === minute ? [...promised.refusals, first] : promised.refusals;
      return kind && { kind, expected: `as by ${part.name}`, observed: `not so ${part.name}`, by };
    };
    return { prove, explained };
  };
  return { provingOf, asks, explaining };
}

/**
 * An admission and a 429 in each second, so that each 429 is the first and the last of its row. Both have one number, as
 * those of two drivers may.
 */
function sentOf(count: number): readonly Exchange[] {
  return Array.from({ length: count }).flatMap((_, at) => [
    admitted(1_000 * at, 1_000 * at, { index: at }),
    limited(1_000 * at + 500, 1_000 * at + 500, { index: at }),
  ]);
}

const promisedFor = (sent: readonly Exchange[], limit = 10): PromisedGroup =>
  promisedIn(traceOf(sent, { limits: { media: limit } }));

function found(sent: readonly Exchange[], ofMinute: Rule, ofSecond: Rule) {
  return contradictionBy(proveSeveral(parts, proversOf(ofMinute, ofSecond).provingOf), promisedFor(sent));
}

it('too much for one of them is too much, and that one is blamed', () => {
  const tooMuch: Rule = (refusals) => (refusals.length === 0 ? 'over-admission' : null);
  const sent = sentOf(1);
  expect(found(sent, never, tooMuch)).toMatchObject({
    kind: 'over-admission',
    part: { name: 'second', instead: null },
  });
  expect(found(sent, tooMuch, tooMuch)).toMatchObject({ part: { name: null, instead: null } });
});

it('a 429 that one of them explains contradicts nothing', () => {
  expect(found(sentOf(3), any, never)).toBe(null);
  expect(found(sentOf(3), never, any)).toBe(null);
});

it('each is asked with its own limit and window, and with the 429s that it may have refused', () => {
  const { provingOf, asks, explaining } = proversOf(any, never);
  proveSeveral(parts, provingOf)(promisedFor(sentOf(2)));
  const asked = (some: readonly Ask[]) =>
    some.map(({ part, promised: { group, refusals } }) => [
      ...[part.name, group.limit, group.windowMs],
      ...[group.limited.length, refusals.length],
    ]);
  expect(asked(asks)).toEqual([
    [null, 10, 60_000, 0, 0],
    ['second', 4, 1_000, 0, 0],
    ['second', 4, 1_000, 2, 2],
  ]);
  // Of whom it is asked which of them it may explain, to that one all are none.
  expect(asked(explaining)).toEqual([
    [null, 10, 60_000, 0, 2],
    ['second', 4, 1_000, 0, 2],
  ]);
});

it('of a row of 429s the first and the last are asked about', () => {
  const row = times(4, (at) => limited(500 + at, 500 + at));
  const { provingOf, explaining } = proversOf(any, never);
  const later = limited(2_000, 2_000);
  proveSeveral(parts, provingOf)(promisedFor([admitted(0, 0), ...row, admitted(900, 900), later]));
  const [asked] = explaining;
  expect(asked?.promised.refusals.map(({ exchange }) => exchange)).toEqual([row[0], row[3], later]);
});

it('a limit that a run was told otherwise is lowered from there', () => {
  const upTo =
    (most: number): Rule =>
    (refusals, limit) =>
      refusals.length > 0 && limit > most ? 'wrongful-429' : null;
  const blamed = (all: typeof parts | readonly [LimitPart], limit: number) =>
    contradictionBy(proveSeveral(all, proversOf(upTo(7), upTo(3)).provingOf), promisedFor(sentOf(1), limit))
      ?.part;
  expect(blamed([minute], 20)).toEqual({ name: null, instead: 7 });
  // 7 is a smaller share of 20 than 3 is of 4, and a greater one of 8.
  expect(blamed(parts, 20)).toEqual({ name: 'second', instead: 3 });
  expect(blamed(parts, 8)).toEqual({ name: null, instead: 7 });
  // Above the limit of the document, below that of the run.
  const high = proveSeveral([minute], proversOf(upTo(15), never).provingOf);
  expect(contradictionBy(high, promisedFor(sentOf(1), 20))?.part).toEqual({ name: null, instead: 15 });
});

it('a 429 that none explains is blamed on the one that would have to be lowered by the least share', () => {
  /** Explains it where it is at most so high, and admits too little below another. */
  const between =
    (least: number, most: number): Rule =>
    (refusals, limit) => {
      if (refusals.length === 0) return null;
      if (limit > most) return 'wrongful-429';
      return limit < least ? 'over-admission' : null;
    };
  const sent = sentOf(1);
  expect(found(sent, between(2, 6), between(1, 3))).toEqual({
    kind: 'wrongful-429',
    expected: 'as by second',
    observed: 'not so second; no other limit of the scope explains it',
    by: sent,
    part: { name: 'second', instead: 3 },
  });
  expect(found(sent, between(2, 8), between(1, 3))).toMatchObject({ part: { name: null, instead: 8 } });
  expect(found(sent, between(7, 6), between(1, 2))).toMatchObject({ part: { name: 'second', instead: 2 } });
  expect(found(sent, any, any)).toMatchObject({ part: { name: null, instead: null } });
});

it('is blamed by the first eight 429s that nothing explains, which may all have to be explained', () => {
  const sent = sentOf(10);
  const [third, ninth] = [sent[5], sent[17]];
  /** One of them needs a limit of 2, the others one of 9. */
  const lowFor =
    (low: Exchange | undefined): Rule =>
    (refusals, limit) => {
      if (refusals.length === 0) return null;
      return limit > (low !== undefined && refusals.includes(low) ? 2 : 9) ? 'wrongful-429' : null;
    };
  expect(found(sent, lowFor(third), any)).toMatchObject({ part: { name: null, instead: 2 } });
  expect(found(sent, lowFor(ninth), any)).toMatchObject({ part: { name: null, instead: 9 } });
});

it('429s that one of them alone may explain have to be explained by it together', () => {
  const sent = sentOf(3);
  const [, first, , next, , last] = sent;
  /** Each by itself, and not two of them. */
  const oneOnly: Rule = (refusals) => (refusals.length > 1 ? 'wrongful-429' : null);
  const butFor =
    (explained: readonly (Exchange | undefined)[]): Rule =>
    (refusals) =>
      refusals.every((one) => explained.includes(one)) ? null : 'wrongful-429';
  expect(found(sent, butFor([next]), oneOnly)).toEqual({
    kind: 'wrongful-429',
    expected: 'as by second',
    observed: 'not so second',
    // The 429s that contradict it, and what says that the other limit refused none of them.
    by: [sent[0], first, last],
    part: { name: 'second', instead: null },
  });
  expect(found(sent, butFor([first, next]), oneOnly)).toBe(null);
  expect(found(sent, butFor([first, next, last]), oneOnly)).toBe(null);
});

it('what the other limits say of the first eight 429s that contradict one is enough', () => {
  const together: Rule = (refusals) => (refusals.length > 1 ? 'wrongful-429' : null);
  const ruledOut = (count: number) => {
    const { provingOf, asks } = proversOf(together, any);
    const promised = promisedFor(sentOf(count));
    expect(proveSeveral(parts, provingOf)(promised)).toMatchObject({ part: { name: null } });
    return asks
      .filter(({ part, promised: { refusals } }) => part === second && refusals.length > 0)
      .map(({ promised: { refusals } }) =>
        refusals.map(({ lowMs }) => promised.refusals.findIndex((one) => one.lowMs === lowMs)),
      );
  };
  expect(ruledOut(3)).toEqual([[0], [1], [2]]);
  expect(ruledOut(100)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((at) => [at]));
});

it('which 429s one of them may explain is worked out once for a group', () => {
  const sent = sentOf(4);
  const { provingOf, explaining } = proversOf(
    (refusals) => (refusals.includes(sent[1] as Exchange) ? 'wrongful-429' : null),
    never,
  );
  const promised = promisedFor(sent);
  const explained = () =>
    refusalsOfPart(promised, { part: minute, parts, provingOf }).map(({ exchange }) => exchange);
  expect(explained()).toEqual([sent[3], sent[5], sent[7]]);
  expect(explained()).toEqual([sent[3], sent[5], sent[7]]);
  expect(explaining).toHaveLength(1);
});

describe('one limit alone', () => {
  const promised = promisedIn(traceOf(sentOf(6), { limits: { media: 10 } }));

  it('has to explain all 429s together, each as its own, the lower one too that it may be instead', () => {
    const explains: Rule = (refusals, limit) => (limit > 6 && refusals.length === 6 ? 'wrongful-429' : null);
    const { provingOf, asks } = proversOf(explains, never);
    const found = proveSeveral([minute], provingOf)(promised);
    expect(found).toMatchObject({ kind: 'wrongful-429', part: { name: null, instead: 6 } });
    expect(asks.map((one) => one.promised.refusals.length)).toEqual(asks.map(() => 6));
    expect(proveSeveral([minute], proversOf(never, never).provingOf)(promised)).toBe(null);
  });

  it('has none that it may be instead where too much was admitted', () => {
    const { provingOf, asks } = proversOf(() => 'over-admission', never);
    const found = proveSeveral([minute], provingOf)(promised);
    expect(found).toMatchObject({ kind: 'over-admission', part: { name: null, instead: null } });
    expect(asks).toHaveLength(1);
  });

  it('may explain each 429', () => {
    const { provingOf, asks, explaining } = proversOf(any, never);
    expect(refusalsOfPart(promised, { part: minute, parts: [minute], provingOf })).toBe(promised.refusals);
    expect([asks, explaining]).toEqual([[], []]);
  });
});
