import { expect, it } from 'vitest';
import { partOf } from '../../contract/document/further-limit.ts';
import type { PromiseSetting } from '../../contract/document/promise.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { contradictionBy, promisedIn } from '../testing/proved.ts';
import { admitted, limited, times, traceOf } from '../testing/traces.ts';
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
