/** Several clients whose clocks are apart, against conforming services: merged, their traces never prove a violation. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findClause } from '../../contract/clauses/registry.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { mergeTraces } from '../../contract/merge-traces.ts';
import type { Trace } from '../../contract/trace.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { originMs, traceOf } from '../../judge/testing/traces.ts';
import { variants } from '../../service/faults.ts';
import { offlineService } from '../../service/offline.ts';
import { answered } from '../simulation/answered.ts';

/** Small limits come into play with few requests. */
const limits = { standard: 4, messages: 4, media: 3 };
const windowMs = 60_000;

/** Those with a cap per second conform under another setting alone. */
const conforming = [
  [],
  ...variants.filter(({ name }) => !name.startsWith('per-second')).map((variant) => [variant]),
];

const paths = { standard: '/v1/status', media: '/v1/media' } as const;

/** Times between requests, ms: many at once, and many around an expiry, where a clock that is off misleads most. */
const gap = fc.constantFrom(
  0,
  0,
  1,
  7,
  100,
  900,
  2_000,
  10_000,
  29_000,
  57_000,
  59_990,
  60_000,
  60_010,
  61_500,
);
const latency = fc.constantFrom(0, 0.4, 3, 25, 400);

const request = fc.record({
  client: fc.nat(3),
  gapMs: gap,
  upMs: latency,
  downMs: latency,
  scope: fc.constantFrom('standard' as const, 'media' as const),
  key: fc.constantFrom('A', 'A', 'A', 'B'),
});

const world = fc.record({
  /** Of each client's clock to the first one's, as a share of the bound. */
  offsets: fc.tuple(
    fc.constant(0),
    fc.double({ min: -1, max: 1, noNaN: true }),
    fc.constantFrom(-1, 1),
    fc.constantFrom(-1, 0, 1),
  ),
  boundMs: fc.constantFrom(2, 50, 500, 3_000),
  earlier: fc.nat(4),
  variant: fc.nat(conforming.length - 1),
  requests: fc.array(request, { minLength: 8, maxLength: 60 }),
});

type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never;

/** What each client wrote, by its own clock. */
function traces({ offsets, boundMs, earlier, variant, requests }: World): readonly Trace[] {
  const service = offlineService({ limits, windowMs, faults: conforming[variant] ?? [] });
  const ask = { method: 'GET', credential: 'valid', connection: 0, node: 0 } as const;
  for (let at = 0; at < earlier; at += 1)
    service({ ...ask, path: paths.media, key: 'A' }, originMs - 30_000 + at);
  let sentMs = 10;
  const sent = requests.map((one, index) => {
    sentMs += one.gapMs;
    return { ...one, index, sentMs, decidedMs: sentMs + one.upMs };
  });
  const exchanges = sent
    .toSorted((left, right) => left.decidedMs - right.decidedMs)
    .flatMap(({ client, index, scope, key, ...at }): readonly Exchange[] => {
      const answer = service({ ...ask, path: paths[scope], key }, originMs + at.decidedMs);
      if (answer === null) return [];
      const offMs = originMs + (offsets[client] ?? 0) * boundMs;
      return [
        {
          kind: 'exchange',
          index,
          driver: 'k6',
          clock: `client-${client}`,
          scope,
          route: 'main',
          key,
          credential: 'valid',
          node: 0,
          purpose: 'x',
          requestId: `r-${index}`,
          method: 'GET',
          path: paths[scope],
          sentMs: Math.floor(offMs + at.sentMs),
          receivedMs: Math.floor(offMs + at.decidedMs + answer.delayMs + at.downMs) + 1,
          wallSentMs: null,
          wallReceivedMs: null,
          ...answered(answer),
        },
      ];
    });
  return [0, 1, 2, 3].map((client) => {
    const id = `client-${client}`;
    const own = exchanges.filter(({ clock }) => clock === id);
    const deployment = { perSecond: 'average', clockSkewSecondsMax: 10 };
    return traceOf(own, { limits, deployment, clocks: [{ id, kind: 'monotonic', offsetMsMax: 0 }] });
  });
}

function violatedBy(merged: Trace): readonly string[] {
  return judgeTrace(merged)
    .clauses.filter(({ verdict }) => verdict.kind === 'crashed' || verdict.kind === 'violated')
    .map(({ clause }) => clause)
    .filter((clause) => findClause(clause)?.level === 'must');
}

test.each([11, 22, 33])('with the bound of their clocks stated, nothing is violated (seed %i)', (seed) => {
  fc.assert(
    fc.property(world, (given) => {
      const merged = mergeTraces(traces(given), { clockOffsetMsMax: given.boundMs });
      expect(violatedBy(merged)).toEqual([]);
    }),
    { numRuns: 1_500, seed },
  );
});

test('with a bound that their clocks do not keep, something is: the property can fail', () => {
  const misled = fc
    .sample(world, { numRuns: 1_500, seed: 44 })
    .filter((given) => violatedBy(mergeTraces(traces(given), { clockOffsetMsMax: 0 })).length > 0);
  expect(misled.length).toBeGreaterThan(20);
});
