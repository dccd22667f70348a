import { describe, expect, it } from 'vitest';
import { partOf } from '../../contract/document/further-limit.ts';
import { type PromiseSetting, promiseOf } from '../../contract/document/promise.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { contradictionBy, promisedIn } from '../testing/proved.ts';
import { admitted, type Given, limited, type Setting, times, traceOf } from '../testing/traces.ts';
import { withoutAnyRefusal } from '../without-refusals.ts';
import { proverOf, provingOf } from './provers.ts';

const cycleMs = 70_000;

/** Bursts that the limit of a second refuses, and one that the limit of a minute does: a cycle of a whole minute and more. */
function cycleAt(fromMs: number): readonly Exchange[] {
  const burst = (atMs: number, count: number) => [
    ...times(count, (at) => admitted(fromMs + atMs + at, fromMs + atMs + at + 1)),
    limited(fromMs + atMs + count, fromMs + atMs + count + 1),
  ];
  return [...burst(0, 4), ...burst(2_000, 4), ...burst(4_000, 2)];
}

const cycles = 300;

it.each([
  'rolling',
  'token-bucket',
  'unsaid',
  { kind: 'fixed', aligned: 'first-request' },
  { kind: 'fixed', aligned: 'unsaid' },
] as const)('a 429 that no limit explains is found, however many came before it: %j', (promise) => {
  const parts = [
    partOf({ limit: 10, promise }, { name: null, seconds: 60 }),
    partOf({ limit: 4, promise }, { name: 'second', seconds: 1 }),
  ] as const;
  const before = Array.from({ length: cycles }, (_, at) => cycleAt(at * cycleMs)).flat();
  const laterMs = (cycles + 2) * cycleMs;
  const wrong = limited(laterMs, laterMs + 1);
  const prove = proverOf({ kind: 'several', parts });
  const found = (sent: readonly Exchange[]) =>
    contradictionBy(prove, promisedIn(traceOf(sent, { limits: { media: 10 } })));
  expect(found(before)).toBe(null);
  const contradiction = found([...before, wrong]);
  expect(contradiction).toMatchObject({ kind: 'wrongful-429' });
  expect(contradiction?.by).toContain(wrong);
});

describe.each([
  { kind: 'fixed', aligned: 'clock' },
  { kind: 'fixed', aligned: 'first-request' },
  { kind: 'fixed', aligned: 'unsaid' },
] as const)('windows that begin anew: %j', (promise) => {
  const found = (sent: readonly Exchange[]) =>
    contradictionBy(
      provingOf(promise).prove,
      promisedIn(traceOf([admitted(0, 1), ...sent], { limits: { media: 2 } })),
    );
  const bitByBit = [limited(200_000, 200_001), admitted(201_000, 201_001), limited(202_000, 202_001)];

  it('are contradicted by the few requests that show one to be none, where that is enough', () => {
    const others = [limited(400_000, 400_001), limited(500_000, 500_001)];
    const contradiction = found([...others, ...bitByBit]);
    expect(contradiction).toMatchObject({
      kind: 'wrongful-429',
      observed: 'key A at media: a 429, 1 admitted, and a 429 again, within 2.001 s',
    });
    expect(contradiction?.by).toEqual(bitByBit);
  });

  it('are contradicted by too much first', () => {
    const before = [180_000, 190_000].map((ms) => admitted(ms, ms + 1));
    const tooMuch = times(5, () => admitted(300_000, 300_001));
    expect(found([...before, ...bitByBit, ...tooMuch])).toMatchObject({ kind: 'over-admission' });
  });
});

type Around = { readonly limit?: number; readonly clocks?: Setting['clocks'] };

/** Which of the 429s among these a promise of 2 in a minute explains, each by itself. */
function explained(promise: PromiseSetting, sent: readonly Exchange[], { limit = 2, clocks }: Around = {}) {
  const promised = promisedIn(traceOf(sent, { limits: { media: limit }, ...(clocks && { clocks }) }));
  const { explained: explain } = provingOf(promiseOf({ promise, limit }));
  const found = explain({ ...promised, group: withoutAnyRefusal(promised.group) });
  return found.map(({ exchange }) => exchange);
}

const byFirstRequest = { kind: 'fixed', aligned: 'first-request' } as const;

it.each([
  'rolling',
  'token-bucket',
  { kind: 'fixed', aligned: 'clock' },
  { kind: 'fixed', aligned: 'unsaid' },
  byFirstRequest,
] as const)('nothing is explained by %j where it would have let less pass', (promise) => {
  const full = [admitted(0, 1), admitted(2, 3)];
  const after = limited(30_000, 30_001);
  expect(explained(promise, [...full, after])).toEqual([after]);
  const more = times(4, (at) => admitted(100 + 20 * at, 101 + 20 * at));
  // While it was on its way enough was that may have filled any window.
  const during = limited(90, 190);
  expect(explained(promise, [...full, ...more, during, after])).toEqual([]);
});

describe('a window from the first request', () => {
  it('may be from before the run, and filled by then, for its length and no longer', () => {
    const first = admitted(0, 1);
    const [early, late] = [limited(30_000, 30_001), limited(75_000, 75_001)];
    expect(explained(byFirstRequest, [first, early, late])).toEqual([early]);
    // So long after that it is asked about in a piece of its own.
    expect(explained(byFirstRequest, [first, limited(20_000_000, 20_000_001)])).toEqual([]);
  });

  it('may be from before the run where one that began with it would have let too much pass', () => {
    const early = limited(5_000, 5_001);
    const sent = [admitted(0, 1), early, admitted(20_000, 20_001), admitted(30_000, 30_001)];
    expect(explained(byFirstRequest, sent)).toEqual([early]);
  });

  const at = (sixSeconds: number, given: Given = {}) =>
    admitted(6_000 * sixSeconds, 6_000 * sixSeconds + 1, given);
  const refusedAt = (sixSeconds: number) => limited(6_000 * sixSeconds, 6_000 * sixSeconds + 1);
  /** What is unsure may have begun a window of ten; or the next one did, five later. */
  const either = [at(0), at(30, { status: 503 }), at(35), at(36), at(42)];

  it('is none in which too much would have been admitted', () => {
    const refused = refusedAt(44);
    expect(explained(byFirstRequest, [...either, refused], { limit: 3 })).toEqual([refused]);
    expect(explained(byFirstRequest, [...either, at(43), refused], { limit: 3 })).toEqual([]);
  });

  it('is none that comes after one in which too much would have been admitted', () => {
    const refused = refusedAt(55);
    const later = [at(46), at(53), at(54), refused];
    expect(explained(byFirstRequest, [...either, ...later], { limit: 3 })).toEqual([refused]);
    expect(explained(byFirstRequest, [...either, at(43), ...later], { limit: 3 })).toEqual([]);
  });

  it('explains what may have been at any time', () => {
    const untied = { clock: 'wall', wallSentMs: null, wallReceivedMs: null };
    const clocks: Setting['clocks'] = [
      { id: 'simulation', kind: 'monotonic', offsetMsMax: 0 },
      { id: 'wall', kind: 'wall', offsetMsMax: 0 },
    ];
    const [one, other] = [limited(500_000, 500_001), limited(900_000, 900_001, untied)];
    expect(explained(byFirstRequest, [admitted(0, 1), one, other], { clocks })).toEqual([other, one]);
    const unknown = admitted(700_000, 700_001, untied);
    expect(explained(byFirstRequest, [admitted(0, 1), unknown, one], { clocks })).toEqual([one]);
  });

  it('explains each once that costs more than 1, and what may have been sent before it', () => {
    const refusals = [limited(10_000, 10_001, { cost: 2 }), limited(20_000, 20_001, { cost: 2 })];
    const again = limited(500_000, 500_001, { cost: 2 });
    expect(explained(byFirstRequest, [admitted(0, 1), ...refusals, again])).toEqual(refusals);
  });
});
