import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClientClauseId, DecidedClientClauseId } from '../../contract/clients/clauses.ts';
import type { Arrival, ClientTrace } from '../../contract/clients/trace.ts';
import { judgeClient } from './judge-client.ts';
import { goodPolicy, type Proving, provingTrace } from './testing/clients.ts';

const verdictOn = (clause: ClientClauseId, trace: ClientTrace) => {
  const found = judgeClient(trace).clauses.find((one) => one.clause === clause)?.verdict;
  return found ?? expect.fail(`no verdict on ${clause}`);
};

const proving = (more: Partial<Proving> = {}): Proving => ({
  policy: goodPolicy,
  jobs: 40,
  seed: 7,
  ...more,
});

const deciding = [
  'client.waits',
  'client.backoff-grows',
  'client.jitter',
  'client.loses-nothing',
  'client.repeats-nothing',
] as const;

describe('a client that does what the document asks', () => {
  it.each(deciding)('holds %s', (clause) => {
    expect(verdictOn(clause, provingTrace(proving()))).toMatchObject({ kind: 'held' });
  });

  it('is known by the content of its requests too, but for repetitions', () => {
    const trace = provingTrace(proving({ by: 'content' }));
    expect(verdictOn('client.waits', trace).kind).toBe('held');
    expect(verdictOn('client.repeats-nothing', trace).kind).toBe('inconclusive');
  });

  it('is never said to come too early, to stand still, to lack jitter or to lose, whatever the network and its clock', () => {
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.nat(),
          jobs: fc.integer({ min: 1, max: 60 }),
          latency: fc.integer({ min: 0, max: 2_000 }),
          ppm: fc.integer({ min: -400, max: 400 }),
          retryAfterSeconds: fc.integer({ min: 1, max: 60 }),
          spreadMs: fc.integer({ min: 200, max: 5_000 }),
        }),
        ({ seed, jobs, latency, ppm, retryAfterSeconds, spreadMs }) => {
          const trace = provingTrace({
            seed,
            jobs,
            retryAfterSeconds,
            refusedMs: 60_000,
            latencyMs: (random) => latency * random(),
            clockRate: 1 + ppm * 1e-6,
            policy: ({ attempt, toldMs, random }) =>
              toldMs + random() * (spreadMs + toldMs) * 2 ** (attempt - 1),
          });
          for (const clause of deciding) expect(verdictOn(clause, trace).kind).not.toBe('violated');
        },
      ),
      { seed: 1, numRuns: 150 },
    );
  });
});

/** The same requests again, each a little changed. */
const twice = (more: (arrival: Arrival) => Partial<Arrival>): ClientTrace => {
  const trace = provingTrace(proving({ refusedMs: 0, jobs: 5 }));
  const again = trace.arrivals.map((arrival, at) => ({ ...arrival, index: 5 + at, ...more(arrival) }));
  return { ...trace, arrivals: [...trace.arrivals, ...again] };
};

type Bad = readonly [what: string, reason: string, trace: () => ClientTrace];

const badClient = (what: string, reason: string, more: Partial<Proving>): Bad => [
  what,
  reason,
  () => provingTrace(proving(more)),
];

/** Minimal bad clients for each clause, and the reason that must be given. */
const badClients: Readonly<Record<DecidedClientClauseId, readonly Bad[]>> = {
  'client.waits': [
    badClient('retries at once', 'too-early', { policy: () => 0, refusedMs: 50 }),
    badClient('waits half of it', 'too-early', { policy: ({ toldMs }) => toldMs / 2 }),
    badClient('waits a fraction less, now and then', 'too-early', {
      policy: ({ toldMs, random }) => toldMs + (random() < 0.1 ? -20 : 500 * random()),
    }),
    badClient('caps the wait below what the 429 asks for', 'too-early', {
      policy: ({ toldMs }) => Math.min(5_000, toldMs),
      retryAfterSeconds: 30,
      refusedMs: 30_000,
    }),
  ],
  'client.backoff-grows': [
    badClient('waits the same each time', 'does-not-grow', { policy: ({ toldMs }) => toldMs }),
    badClient('waits by chance, no longer each time', 'does-not-grow', {
      policy: ({ toldMs, random }) => toldMs + 200 * random(),
    }),
  ],
  'client.jitter': [
    badClient('grows without jitter', 'no-jitter', { policy: ({ attempt }) => 1_000 * 2 ** (attempt - 1) }),
  ],
  'client.loses-nothing': [
    badClient('gives up after three attempts', 'lost', {
      policy: (refusal) => (refusal.attempt < 3 ? goodPolicy(refusal) : null),
    }),
    badClient('never sends all', 'lost', { expected: 41 }),
  ],
  'client.repeats-nothing': [
    [
      'sends again what was admitted',
      'repeated',
      () => twice(({ arrivedMs }) => ({ arrivedMs: arrivedMs + 5_000, answeredMs: arrivedMs + 5_001 })),
    ],
  ],
};

const bad = Object.entries(badClients).flatMap(([clause, rows]) =>
  rows.map(([what, reason, trace]) => ({ what, clause: clause as DecidedClientClauseId, reason, trace })),
);

describe.each(bad)('a client that $what', ({ clause, reason, trace: traceOf }) => {
  it(`violates ${clause}, and is not blamed for anything else`, () => {
    const trace = traceOf();
    expect(verdictOn(clause, trace)).toMatchObject({ kind: 'violated', reason });
    // A constant wait is no growth either, and no jitter; nothing else follows from anything.
    const entailed: readonly ClientClauseId[] =
      clause === 'client.waits' || clause === 'client.backoff-grows'
        ? ['client.backoff-grows', 'client.jitter']
        : [];
    const others = deciding.filter((one) => one !== clause && !entailed.includes(one));
    for (const other of others) expect(verdictOn(other, trace).kind).not.toBe('violated');
  });
});

describe('repetitions', () => {
  it('beside itself are no retries, which could come too early', () => {
    const refused = provingTrace(proving({ refusedMs: 60_000, policy: () => null, jobs: 5 }));
    const beside = refused.arrivals.map((arrival, at) => {
      const arrivedMs = arrival.arrivedMs + 0.01;
      return { ...arrival, index: 5 + at, arrivedMs, answeredMs: arrivedMs + 1 };
    });
    const held = refused.arrivals.map((arrival) => ({ ...arrival, answeredMs: arrival.arrivedMs + 0.5 }));
    const arrivals = [...held, ...beside].toSorted((a, b) => a.arrivedMs - b.arrivedMs);
    const trace = { ...refused, arrivals };
    expect(verdictOn('client.waits', trace).kind).toBe('inconclusive');
    expect(verdictOn('client.repeats-nothing', trace)).toMatchObject({ kind: 'violated' });
  });

  it('may be two requests that are alike where there is none', () => {
    const trace = provingTrace(proving({ by: 'content', digestOf: () => 'alike', jobs: 10 }));
    expect(verdictOn('client.repeats-nothing', trace).kind).toBe('inconclusive');
    expect(verdictOn('client.waits', trace)).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringContaining('Idempotency-Key'),
    });
  });
});

describe('few waits', () => {
  it('that rise by chance are no growth: at most one in a hundred is taken for it, and a few more by bad luck', () => {
    const policy: Proving['policy'] = ({ toldMs, random }) => toldMs + 4_000 * random();
    const seeds = Array.from({ length: 300 }, (_, seed) => seed);
    const taken = seeds.filter((seed) => {
      const trace = provingTrace(proving({ policy, seed, jobs: 1, refusedMs: 7_000 }));
      return verdictOn('client.backoff-grows', trace).kind === 'held';
    });
    expect(taken.length).toBeLessThanOrEqual(9);
  });

  it('that are the same are too few to decide, and no jitter', () => {
    const policy: Proving['policy'] = ({ toldMs }) => toldMs;
    const trace = provingTrace(proving({ policy, jobs: 6, refusedMs: 500 }));
    expect(verdictOn('client.jitter', trace)).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringContaining('3 of 3 pairs'),
    });
  });
});

describe('what a trace cannot show', () => {
  it('is kept: nothing was refused', () => {
    const trace = provingTrace(proving({ refusedMs: 0 }));
    expect(verdictOn('client.waits', trace)).toEqual({
      kind: 'held',
      summary: 'kept; never refused (40 requests)',
    });
    for (const clause of ['client.backoff-grows', 'client.jitter', 'client.loses-nothing'] as const) {
      expect(verdictOn(clause, trace)).toEqual({
        kind: 'not-applicable',
        reason: 'never refused, so there was nothing to retry',
      });
    }
  });

  it('is open: nothing came', () => {
    const trace = { ...provingTrace(proving({ refusedMs: 0 })), arrivals: [] };
    for (const clause of [
      'client.waits',
      'client.backoff-grows',
      'client.jitter',
      'client.loses-nothing',
    ] as const)
      expect(verdictOn(clause, trace).kind).toBe('inconclusive');
  });

  it('is open: the client may still come back', () => {
    const policy: Proving['policy'] = (refusal) => (refusal.attempt < 2 ? goodPolicy(refusal) : null);
    const trace = provingTrace(proving({ policy, clientIsDone: false, refusedMs: 60_000 }));
    expect(verdictOn('client.loses-nothing', trace).kind).toBe('inconclusive');
  });

  it('is open: a GET is like any other of its path', () => {
    const trace = provingTrace(proving({ by: 'content', method: 'GET', policy: () => 0, refusedMs: 50 }));
    expect(verdictOn('client.waits', trace).kind).toBe('inconclusive');
  });
});

it('measures a backlog against the least time that it can take', () => {
  const trace = provingTrace(proving({ lesson: 'limits', refusedMs: 0, jobs: 31 }));
  const media = trace.arrivals.map((arrival, at) => {
    const arrivedMs = at < 30 ? arrival.arrivedMs : arrival.arrivedMs + 61_500;
    return { ...arrival, scope: 'media' as const, arrivedMs, answeredMs: arrivedMs + 1 };
  });
  const { measures, clauses } = judgeClient({ ...trace, arrivals: media });
  const observed = clauses.flatMap(({ verdict }) => (verdict.kind === 'observed' ? [verdict.value] : []));
  expect(observed).toEqual([
    'media 0 for 31 admitted (0.0 per 100)',
    expect.stringMatching(/^media 31 in 61\.\d s, 1\.02\d × the least possible$/),
    expect.stringMatching(/^1 connection, at most \d+ requests in 100 ms$/),
  ]);
  expect(measures).toMatchObject([{ scope: 'media', admitted: 31, refused: 0, makespanMsLeast: 60_000 }]);
  expect(measures[0]!.makespanMs / 60_000).toBeCloseTo(1.025, 2);
});
