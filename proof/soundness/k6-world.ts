import fc from 'fast-check';
import { bounds } from '../../contract/bounds.ts';
import { findClause } from '../../contract/clauses/registry.ts';
import { lookThinner } from '../../contract/clock-looks.ts';
import { deploymentSchema } from '../../contract/deployment.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { Trace } from '../../contract/trace.ts';
import { type HeaderFacts, traceHeader } from '../../contract/trace-header.ts';
import type { ClockLine, LoadLine } from '../../contract/trace-lines.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { variants } from '../../service/faults.ts';
import { offlineService } from '../../service/offline.ts';
import { answered } from '../simulation/answered.ts';

/** Small limits come into play with few requests. */
const limits = { standard: 4, messages: 4, media: 3 };
const windowMs = 60_000;
/** A whole minute, ms since the Unix epoch. */
export const originMs = 1_760_000_040_000;
const clockSkewSecondsMax = 10;

const deployment = deploymentSchema.parse({
  baseUrls: ['http://127.0.0.1:1'],
  keyEnv: ['KEY_A', 'KEY_B'],
  perSecond: 'average',
  clockSkewSecondsMax,
});

/** Those with a cap per second conform under another setting alone. */
const conforming = [
  [],
  ...variants.filter(({ name }) => !name.startsWith('per-second')).map((variant) => [variant]),
];

const paths = { standard: '/v1/status', media: '/v1/media' } as const;

/** Times between requests, ms: many at once, and many around an expiry, where a clock that is off misleads most. */
const gap = fc.constantFrom(0, 0, 1, 7, 100, 900, 5_000, 29_000, 57_000, 59_900, 60_000, 60_010, 61_100);
const latency = fc.constantFrom(0.1, 0.4, 3, 25, 400);

const request = fc.record({
  gapMs: gap,
  upMs: latency,
  downMs: latency,
  scope: fc.constantFrom('standard' as const, 'media' as const),
  key: fc.constantFrom('A', 'A', 'A', 'B'),
  isReused: fc.boolean(),
  isReset: fc.boolean(),
  /** Sent by the probes instead, where there are any: they time by a monotonic clock. */
  isProbe: fc.boolean(),
});

/** k6 in an odd world: its wall clock is set while it sends, and Go sends a GET again whose connection broke. */
export const k6World = fc.record({
  /** Share of the run that has passed when the clock is set. */
  stepAt: fc.double({ min: 0, max: 1, noNaN: true }),
  stepMs: fc.constantFrom(-70_000, -3_000, -900, -500, -100, -50, 0, 50, 100, 300, 1_000, 3_000, 65_000),
  probes: fc.constantFrom('beside', 'none'),
  earlier: fc.nat(4),
  variant: fc.nat(conforming.length - 1),
  requests: fc.array(request, { minLength: 8, maxLength: 60 }),
});

export type K6World = typeof k6World extends fc.Arbitrary<infer Value> ? Value : never;

/** How often the runner looks at its clocks, ms. */
const periodMs = 100;

/** What k6 wrote, and the client's wall clock at a moment of true time, ms after the start. */
export type PlayedK6 = {
  readonly trace: Trace;
  readonly wallMs: (trueMs: number) => number;
  readonly endMs: number;
};

/** What k6 wrote. A reset GET was counted, and is sent again; its line says nothing of that. */
export function played({ stepAt, stepMs, probes, earlier, variant, requests }: K6World): PlayedK6 {
  const service = offlineService({ limits, windowMs, faults: conforming[variant] ?? [] });
  const ask = { credential: 'valid', connection: 0, node: 0 } as const;
  for (let at = 0; at < earlier; at += 1)
    service({ ...ask, method: 'POST', path: paths.media, key: 'A' }, originMs - 30_000 + at);
  let sentMs = 10;
  const sent = requests.map((one, index) => {
    sentMs += one.gapMs;
    return { ...one, index, sentMs, isProbe: one.isProbe && probes === 'beside' };
  });
  const endMs = sentMs + 2_000;
  const stepMoment = stepAt * endMs;
  const wallMs = (trueMs: number): number => originMs + trueMs + (trueMs >= stepMoment ? stepMs : 0);
  const isAgain = (one: (typeof sent)[number]): boolean =>
    one.scope === 'standard' && one.isReused && one.isReset && !one.isProbe;
  const exchanges = arrivalsOf(sent, isAgain).flatMap(({ one, atMs, isHeard }): readonly Exchange[] => {
    const { scope, key, index } = one;
    const method = scope === 'standard' ? 'GET' : 'POST';
    const answer = service({ ...ask, method, path: paths[scope], key }, originMs + atMs);
    if (answer === null || !isHeard) return [];
    return [
      {
        kind: 'exchange',
        index,
        scope,
        route: 'main',
        key,
        credential: 'valid',
        node: 0,
        purpose: 'sustained',
        requestId: `r-${index}`,
        method,
        path: paths[scope],
        ...timedBy(one.isProbe, {
          ...{ sentMs: one.sentMs, wallMs },
          receivedMs: atMs + answer.delayMs + one.downMs,
        }),
        ...(method === 'GET' && !one.isReused && { sentOnce: true as const }),
        ...answered(answer),
      },
    ];
  });
  return { trace: traceOf(exchanges, endMs), wallMs, endMs };
}

type Arriving = { readonly sentMs: number; readonly upMs: number };

/** Requests in the order in which they arrive, ms after the origin; one that Go repeats arrives twice, and is heard of once. */
export function arrivalsOf<One extends Arriving>(sent: readonly One[], isAgain: (one: One) => boolean) {
  return sent
    .flatMap((one) => {
      const last = { one, atMs: one.sentMs + one.upMs, isHeard: true };
      return isAgain(one) ? [{ one, atMs: one.sentMs + one.upMs / 2, isHeard: false }, last] : [last];
    })
    .toSorted((left, right) => left.atMs - right.atMs);
}

/** When a request was sent and answered, in true time, ms after the origin; `null` where no answer came. */
type Moments = {
  readonly sentMs: number;
  readonly receivedMs: number | null;
  readonly wallMs: (trueMs: number) => number;
};

/** Who sent a request, and its two moments by the clock of that client: a probe's is monotonic, k6 has a wall clock alone. */
export function timedBy(isProbe: boolean, { sentMs, receivedMs, wallMs }: Moments) {
  const wallSentMs = Math.floor(wallMs(sentMs));
  const wallReceivedMs = receivedMs === null ? null : Math.floor(wallMs(receivedMs));
  return isProbe
    ? ({
        driver: 'undici',
        clock: 'undici',
        sentMs: originMs + sentMs,
        receivedMs: receivedMs === null ? null : originMs + receivedMs,
        wallSentMs,
        wallReceivedMs,
      } as const)
    : ({
        driver: 'k6',
        scenario: 'sustained',
        clock: 'k6-sustained',
        sentMs: wallSentMs,
        receivedMs: wallReceivedMs === null ? null : wallReceivedMs + 1,
        wallSentMs: null,
        wallReceivedMs: null,
      } as const);
}

/** The clocks of the two clients. */
export const clocks: HeaderFacts['clocks'] = [
  { id: 'undici', kind: 'monotonic', offsetMsMax: 0 },
  { id: 'k6-sustained', kind: 'wall', offsetMsMax: bounds.clockStepMs, tiedBy: 'undici' },
];

function traceOf(exchanges: readonly Exchange[], endMs: number): Trace {
  const header = traceHeader({
    tool: { name: 'messaging-conformance', version: '0.0.0' },
    runId: 'k6-world',
    startedAtMs: originMs,
    mode: 'load',
    limits,
    deployment,
    keys: ['A', 'B'],
    clocks,
    plan: { requestsMax: 0, peakRequestsPerSecond: 0, seconds: 0 },
  });
  const load: LoadLine = {
    kind: 'load',
    scenario: 'sustained',
    state: 'complete',
    reason: null,
    key: 'A',
    scope: 'media',
    requestsSent: null,
  };
  const end = {
    kind: 'end',
    endedAt: new Date(originMs + endMs).toISOString(),
    complete: true,
    reason: null,
  } as const;
  return { header, exchanges, loads: [load], notes: [], end };
}

/** With what the runner saw of the clocks meanwhile. */
export function tied({ trace, wallMs, endMs }: PlayedK6): Trace {
  const thin = lookThinner();
  const clockLines: ClockLine[] = [];
  const last = Math.ceil(endMs / periodMs);
  for (let at = 0; at <= last; at += 1) {
    const atMs = at * periodMs;
    const look = { monotonicMs: originMs + atMs, wallMs: Math.floor(wallMs(atMs)) };
    for (const wanted of thin(look, at === last ? 'wanted' : 'if-needed'))
      clockLines.push({ kind: 'clock', clock: 'undici', ...wanted });
  }
  return { ...trace, clockLines };
}

/** Must clauses that a trace violates, or whose judge crashed. */
export function violatedBy(trace: Trace): readonly string[] {
  return judgeTrace(trace)
    .clauses.filter(({ verdict }) => verdict.kind === 'crashed' || verdict.kind === 'violated')
    .map(({ clause }) => clause)
    .filter((clause) => findClause(clause)?.level === 'must');
}

/** A clock that is farther off than the settings allow makes a Reset wrong, whenever it was set. */
export const isWithinSkew = ({ stepMs }: K6World): boolean => Math.abs(stepMs) < 1_000 * clockSkewSecondsMax;
