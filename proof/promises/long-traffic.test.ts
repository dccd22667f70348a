import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Document, documentSchema } from '../../contract/document/document.ts';
import type { PromiseSetting } from '../../contract/document/promise.ts';
import { tied } from '../soundness/k6-world.ts';
import { judgedMusts } from './document-batch.ts';
import { playedTraffic, type Traffic, traffic } from './traffic.ts';

/** So many times drawn traffic after one another: hundreds of windows of a second, thousands where none is longer. */
const stretches = 45;

const windows: readonly PromiseSetting[] = [
  { kind: 'fixed', aligned: 'clock' },
  { kind: 'fixed', aligned: 'first-request' },
  { kind: 'fixed', aligned: 'unsaid' },
  'unsaid',
];

const long = fc.record({
  limit: fc.integer({ min: 1, max: 5 }),
  alsoLimit: fc.option(fc.integer({ min: 3, max: 9 }), { freq: 2 }),
  promise: fc.constantFrom(...windows),
  /** Unanswered requests may have counted at any time after. */
  isLossy: fc.boolean(),
  /** After some of them no window is left that a request before may have begun. */
  pausesMs: fc.array(fc.constantFrom(0, 900, 60_000, 400_000), {
    minLength: stretches,
    maxLength: stretches,
  }),
  stretches: fc.array(traffic, { minLength: stretches, maxLength: stretches }),
});

type Long = typeof long extends fc.Arbitrary<infer Value> ? Value : never;

function documentOf({ limit, alsoLimit, promise }: Long): Document {
  const also = alsoLimit === null ? undefined : [{ limit: alsoLimit, windowSeconds: 7, promise }];
  const items = { title: 'items', paths: ['/items'], request: { path: '/items' } };
  return documentSchema.parse({
    ...{ version: 1, title: 'items', windowSeconds: 60 },
    scopes: { items: { ...items, limit, windowSeconds: 1, promise, also } },
  });
}

function afterPause([first, ...others]: Traffic['requests'], pauseMs: number): Traffic['requests'] {
  return first === undefined ? others : [{ ...first, gap: pauseMs }, ...others];
}

function played(given: Long) {
  const [first] = given.stretches as [Traffic];
  const requests = given.stretches
    .flatMap((one, at) => afterPause(one.requests, given.pausesMs[at] ?? 0))
    .map((one) => (given.isLossy ? one : { ...one, lost: null }));
  return tied(playedTraffic({ ...first, ruled: { promise: null, document: documentOf(given) }, requests }));
}

test('a service is never called violated, however many windows a trace has', () => {
  let exchanges = 0;
  fc.assert(
    fc.property(long, (given) => {
      const trace = played(given);
      exchanges += trace.exchanges.length;
      expect(judgedMusts(trace).violated).toEqual([]);
    }),
    { numRuns: 25, seed: 20_261_127 },
  );
  expect(exchanges).toBeGreaterThan(20_000);
});
