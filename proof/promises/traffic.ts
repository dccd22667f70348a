import fc from 'fast-check';
import { type Deployment, deploymentSchema } from '../../contract/deployment.ts';
import { type OtherRequest, othersOf, usualCostOf } from '../../contract/document/cost.ts';
import { type Document, limitedStatusesOf, partsOf, scopesOf } from '../../contract/document/document.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { passedStatusesIn } from '../../contract/passed.ts';
import { isRepeatable } from '../../contract/repeatable.ts';
import { assembleTrace } from '../../contract/trace.ts';
import { type TraceHeader, traceHeader } from '../../contract/trace-header.ts';
import type { LoadLine } from '../../contract/trace-lines.ts';
import { answered, unanswered } from '../simulation/answered.ts';
import { openingOf } from '../simulation/document-opening.ts';
import type { SimulatedAnswer } from '../simulation/simulated-service.ts';
import { endOf } from '../simulation/simulated-trace.ts';
import { throughEdges } from '../soundness/hostile-edges.ts';
import { arrivalsOf, clocks, originMs, type PlayedK6, timedBy } from '../soundness/k6-world.ts';
import { drawnDocument } from './drawn-document.ts';
import { type PromiseSetting, promiseSetting, ruleOf } from './hostile-promise.ts';
import { drawnOutage, outAt } from './outage.ts';
import { serviceOf } from './promise-run.ts';

/**
 * Requests that no schedule sends: at moments drawn by chance, many at once and many around the end of a window, by the probes'
 * client and by k6, whose wall clock is set meanwhile, and whose GETs Go repeats where a connection breaks.
 */

/** The time to the next request: ms, or a share of the window of a limit and some ms. */
type Gap = number | { readonly share: number; readonly part: number; readonly ms: number };

const gap: fc.Arbitrary<Gap> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(0, 0, 0, 1, 7, 100) },
  { weight: 1, arbitrary: fc.constantFrom(400, 900, 1_000, 2_500) },
  {
    weight: 2,
    arbitrary: fc.record({
      share: fc.constantFrom(0.08, 0.3, 0.5, 0.96, 1, 1),
      part: fc.nat(3),
      ms: fc.constantFrom(-900, -100, -10, 0, 3, 12, 40, 400, 1_100),
    }),
  },
);

const latencyMs = fc.constantFrom(0.1, 0.4, 3, 25, 400);

const request = fc.record({
  gap,
  upMs: latencyMs,
  downMs: latencyMs,
  scope: fc.nat(2),
  key: fc.constantFrom<string[]>('A', 'A', 'A', 'B'),
  /** Which of the other requests of its scope; most are the one that stands for it. */
  other: fc.nat(8),
  isProbe: fc.boolean(),
  /** Where the connection was kept alive, Go may repeat the request. */
  isReused: fc.boolean(),
  isReset: fc.boolean(),
  lost: fc.oneof({ weight: 7, arbitrary: fc.constant(null) }, fc.constantFrom('before', 'after')),
});

type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

export const traffic = fc.record({
  /** A limiter that keeps a promise, or the reference service that plays a whole document. */
  ruled: fc.oneof(
    promiseSetting.map((promise) => ({ promise, document: null })),
    drawnDocument.map((document) => ({ promise: null, document })),
  ),
  /** Small ones come into play with few requests. */
  limit: fc.integer({ min: 1, max: 8 }),
  alsoLimit: fc.integer({ min: 1, max: 8 }),
  startsAtMs: fc.nat(90_000),
  earlier: fc.nat(5),
  outage: fc.option(drawnOutage, { freq: 2 }),
  stepAt: fc.double({ min: 0, max: 1, noNaN: true }),
  stepMs: fc.constantFrom<number[]>(0, 0, 0, -3_000, -900, -500, -100, -50, 50, 100, 300, 1_000, 3_000),
  probes: fc.constantFrom('alone', 'beside', 'none'),
  nodes: fc.constantFrom(1, 1, 2),
  seed: fc.nat(),
  brokenBodies: fc.constantFrom(0, 0, 0.3),
  requests: fc.array(request, { minLength: 8, maxLength: 60, size: 'max' }),
});

export type Traffic = typeof traffic extends fc.Arbitrary<infer Value> ? Value : never;

/** What the two clients wrote, and the client's wall clock. */
export function playedTraffic(given: Traffic): PlayedK6 {
  const { document, service } = serving(given);
  const sent = requestsOf(given, document);
  const endMs = (sent.at(-1)?.sentMs ?? 0) + timeoutMs;
  const stepMs = given.stepAt * endMs;
  const wallMs = (trueMs: number): number => originMs + trueMs + (trueMs >= stepMs ? given.stepMs : 0);
  const { deployment } = openingOf(document);
  const exchanges = answersOf(sent, service)
    .toSorted((left, right) => left.endedMs - right.endedMs)
    .map(({ one, answer, endedMs }) => exchangeOf(one, { answer, endedMs, wallMs, deployment }));
  const header = headerOf(given, document);
  const edges = { death: null, isHead: false, brokenBodies: given.brokenBodies };
  const lines = throughEdges([...exchanges, loadLine(document)], endOf(header), { edges, seed: given.seed });
  return { trace: assembleTrace([header, ...lines]), wallMs, endMs };
}

type Sent = Omit<Request, 'gap' | 'scope' | 'other'> & {
  readonly index: number;
  /** In true time, ms after the origin. */
  readonly sentMs: number;
  readonly scope: string;
  readonly isBeside: boolean;
  readonly method: string;
  readonly path: string;
  readonly cost: number;
  readonly node: number;
};

type Service = (one: Pick<Sent, 'method' | 'path' | 'key'>, atMs: number) => SimulatedAnswer | null;

/** Who answers, after some use of the key before; moments in ms after the origin. */
function serving(given: Traffic): { readonly document: Document; readonly service: Service } {
  const { ruled, outage, startsAtMs, earlier } = given;
  const { document, open } =
    ruled.promise === null ? { document: ruled.document, open: null } : ruleOf(inReach(ruled.promise, given));
  const own = serviceOf(document, open);
  const ask = { credential: 'valid', connection: 0, node: 0 } as const;
  const [first = ''] = scopesOf(document);
  const halfMs = partsOf(document, first)[0].wholeSeconds * 500;
  for (let at = 0; at < earlier; at += 1)
    own({ ...ask, ...shownIn(document, first), key: 'A' }, originMs + startsAtMs - halfMs + at);
  return {
    document,
    service: ({ method, path, key }, atMs) =>
      outAt(outage, document, atMs - startsAtMs) ?? own({ ...ask, method, path, key }, originMs + atMs),
  };
}

function inReach(promise: PromiseSetting, { limit, alsoLimit }: Traffic): PromiseSetting {
  const { also } = promise;
  return { ...promise, limit, also: also === null ? null : { ...also, limit: alsoLimit } };
}

function requestsOf({ requests, startsAtMs, probes, nodes }: Traffic, document: Document): readonly Sent[] {
  const scopes = scopesOf(document);
  let sentMs = startsAtMs;
  return requests.map(({ gap: after, other, ...one }, index) => {
    const scope = scopes[one.scope % scopes.length] as string;
    sentMs += gapMs(after, document, scope);
    const named = document.scopes[scope] ?? {};
    const beside = othersOf(named)[other];
    return {
      ...one,
      ...{ index, sentMs, scope, node: index % nodes },
      isProbe: probes === 'alone' || (one.isProbe && probes === 'beside'),
      isBeside: beside !== undefined,
      ...shownIn(document, scope, beside),
      cost: beside?.cost ?? usualCostOf(named),
    };
  });
}

/** What the document shows as a request of a scope, or what it shows beside it. */
function shownIn({ scopes }: Document, scope: string, beside?: OtherRequest): Pick<Sent, 'method' | 'path'> {
  const { method, path } = beside?.request ?? scopes[scope]?.request ?? { method: 'GET', path: `/${scope}` };
  return { method, path };
}

function gapMs(after: Gap, document: Document, scope: string): number {
  if (typeof after === 'number') return after;
  const parts = partsOf(document, scope);
  const { wholeSeconds } = parts[after.part % parts.length] ?? parts[0];
  return Math.max(0, after.share * wholeSeconds * 1_000 + after.ms);
}

/** What k6 and the probes wait for, ms. */
const timeoutMs = 10_000;

type Answered = {
  readonly one: Sent;
  readonly answer: SimulatedAnswer | null;
  /** When it was over for the client, ms after the origin. */
  readonly endedMs: number;
};

/** Each request decided in the order of arrival; one whose connection was reset arrives twice, and is answered once. */
function answersOf(sent: readonly Sent[], service: Service): readonly Answered[] {
  const isAgain = (one: Sent): boolean =>
    one.isReused && one.isReset && !one.isProbe && one.lost !== 'before' && isRepeatable(one.method, {});
  return arrivalsOf(sent, isAgain).flatMap(({ one, atMs, isHeard }): readonly Answered[] => {
    const answer = one.lost === 'before' ? null : service(one, atMs);
    if (!isHeard) return [];
    const isOver = answer === null || one.lost !== null;
    const endedMs = isOver ? one.sentMs + timeoutMs : atMs + answer.delayMs + one.downMs;
    return [{ one, answer: isOver ? null : answer, endedMs }];
  });
}

type Told = Omit<Answered, 'one'> & {
  readonly wallMs: (trueMs: number) => number;
  readonly deployment: Deployment;
};

function exchangeOf(one: Sent, { answer, endedMs, wallMs, deployment }: Told): Exchange {
  const { index, scope, isBeside, key, node, method, path, cost, isProbe, isReused, sentMs } = one;
  return {
    kind: 'exchange',
    ...{ index, scope, key, node, method, path },
    route: isBeside ? 'beside' : 'main',
    credential: 'valid',
    purpose: isProbe ? 'saturate' : 'sustained',
    requestId: `r-${index}`,
    ...(cost > 1 && { cost }),
    ...timedBy(isProbe, { sentMs, wallMs, receivedMs: answer === null ? null : endedMs }),
    ...(!isReused && { sentOnce: true as const }),
    ...(answer === null
      ? unanswered
      : answered(answer, limitedStatusesOf(deployment.document), passedStatusesIn(deployment, scope))),
  };
}

function headerOf({ nodes, probes, startsAtMs }: Traffic, document: Document): TraceHeader {
  const { deployment, limits } = openingOf(document);
  return traceHeader({
    tool: { name: 'messaging-conformance', version: '0.0.0' },
    runId: 'traffic',
    startedAtMs: originMs + startsAtMs,
    mode: probes === 'none' ? 'load' : 'full',
    limits,
    deployment: deploymentSchema.parse({
      ...deployment,
      baseUrls: Array.from({ length: nodes }, (_, at) => `http://127.0.0.1:${at + 1}`),
      probeWithoutKey: false,
      clockSkewSecondsMax: 10,
    }),
    keys: ['A', 'B'],
    clocks,
    plan: { requestsMax: 0, peakRequestsPerSecond: 0, seconds: 0 },
  });
}

function loadLine(document: Document): LoadLine {
  const [scope = ''] = scopesOf(document);
  return {
    ...{ kind: 'load', scenario: 'sustained', state: 'complete' },
    ...{ reason: null, key: 'A', scope, requestsSent: null },
  };
}
