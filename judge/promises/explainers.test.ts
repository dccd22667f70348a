import { describe, expect, it } from 'vitest';
import { partOf } from '../../contract/document/further-limit.ts';
import { type PromiseSetting, promiseOf } from '../../contract/document/promise.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { contradictionBy, promisedIn } from '../testing/proved.ts';
import { admitted, limited, type Setting, times, traceOf } from '../testing/traces.ts';
import { withoutAnyRefusal } from '../without-refusals.ts';
import { explainerOf } from './explainers.ts';
import { proverOf } from './provers.ts';

const cycleMs = 70_000;

/** Bursts that the limit of a second refuses, and one that the limit of a minute does: a cycle of a whole minute and more. */
function cycleAt(fromMs: number): readonly Exchange[] {
  const burst = (atMs: number, count: number) => [
    ...times(count, (at) => admitted(fromMs + atMs + at, fromMs + atMs + at + 1)),
    limited(fromMs + atMs + count, fromMs + atMs + count + 1),
  ];
  return [...burst(0, 4), ...burst(2_000, 4), ...burst(4_000, 2)];
}

/** With how many cycles; of windows that begin with a first request, 1,000 are looked at and no more. */
const asked: readonly (readonly [PromiseSetting, number])[] = [
  ['rolling', 300],
  ['token-bucket', 300],
  ['unsaid', 100],
  [{ kind: 'fixed', aligned: 'first-request' }, 100],
  [{ kind: 'fixed', aligned: 'unsaid' }, 100],
];

it.each(asked)(
  'a 429 that no limit explains is found, however many came before it: %j',
  (promise, cycles) => {
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
  },
);

/** Which of the 429s among these a promise of 2 in a minute explains, each by itself. */
function explained(promise: PromiseSetting, sent: readonly Exchange[], clocks?: Setting['clocks']) {
  const promised = promisedIn(traceOf(sent, { limits: { media: 2 }, ...(clocks && { clocks }) }));
  const explain = explainerOf(promiseOf({ promise, limit: 2 }));
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
  expect(explained(promise, [...full, ...more, after])).toEqual([]);
});

describe('a window from the first request', () => {
  it('may be from before the run, and filled by then, for its length and no longer', () => {
    const first = admitted(0, 1);
    const [early, late] = [limited(30_000, 30_001), limited(75_000, 75_001)];
    expect(explained(byFirstRequest, [first, early, late])).toEqual([early]);
  });

  it('explains what may have been at any time', () => {
    const untied = { clock: 'wall', wallSentMs: null, wallReceivedMs: null };
    const clocks: Setting['clocks'] = [
      { id: 'simulation', kind: 'monotonic', offsetMsMax: 0 },
      { id: 'wall', kind: 'wall', offsetMsMax: 0 },
    ];
    const [one, other] = [limited(500_000, 500_001), limited(900_000, 900_001, untied)];
    expect(explained(byFirstRequest, [admitted(0, 1), one, other], clocks)).toEqual([other, one]);
  });

  it('explains each once that costs more than 1, and what may have been sent before it', () => {
    const refusals = [limited(10_000, 10_001, { cost: 2 }), limited(20_000, 20_001, { cost: 2 })];
    const again = limited(500_000, 500_001, { cost: 2 });
    expect(explained(byFirstRequest, [admitted(0, 1), ...refusals, again])).toEqual(refusals);
  });
});
