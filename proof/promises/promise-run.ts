import type { Opening } from '../../checks/opening.ts';
import { clauseIn } from '../../contract/clauses/of-document.ts';
import { deploymentSchema } from '../../contract/deployment.ts';
import { type Document, documentSchema, limitsOf } from '../../contract/document/document.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { assembleTrace, type Trace, traceHeader } from '../../contract/trace.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { embeddedRequests } from '../../run/target/embedded-requests.ts';
import type { Deviation } from '../../service/faults/fault.ts';
import { offlineService } from '../../service/offline.ts';
import { simulate } from '../simulation/simulate.ts';
import { endOf } from '../simulation/simulated-trace.ts';
import type { World } from '../simulation/world.ts';
import type { Opened, PromiseCase } from './keepers.ts';

/** How many requests in how long one scope of a document promises, in one of the ways of `promiseCases`. */
export type PromisedRate = {
  readonly promise: PromiseCase['promise'];
  readonly limit: number;
  readonly windowSeconds: number;
};

/** A document of one scope. */
export function documentOf({ promise, limit, windowSeconds }: PromisedRate): Document {
  return documentSchema.parse({
    version: 1,
    title: 'one limit',
    windowSeconds,
    scopes: { items: { title: '/items', limit, promise, request: { path: '/items' } } },
  });
}

export function openingOf(document: Document): Opening {
  const deployment = deploymentSchema.parse({
    document,
    baseUrls: ['http://127.0.0.1:1'],
    keyEnv: ['KEY_A', 'KEY_B'],
    requests: embeddedRequests(document),
    windowSeconds: document.windowSeconds,
  });
  const windowMs = document.windowSeconds * 1_000;
  return { deployment, limits: limitsOf(document), windowMs, mode: 'full', keys: ['A', 'B'] };
}

/** The reference service with a limiter of its own; without one, as the document says. */
export function serviceOf(document: Document, open: Opened | null) {
  const faults: readonly Deviation[] =
    open === null
      ? []
      : [
          {
            name: 'own-limiter',
            summary: 'another limiter',
            patch: (behaviour) => ({ ...behaviour, openWindow: (_scope, rate) => open(rate) }),
          },
        ];
  const windowMs = document.windowSeconds * 1_000;
  return offlineService({ document, limits: limitsOf(document), windowMs, faults });
}

/** A whole run of one scope against a limiter, in virtual time. */
export function promisedTrace(
  rate: PromisedRate,
  open: Opened | null,
  { world, seed }: { readonly world: World; readonly seed: number },
): Trace {
  const document = documentOf(rate);
  const opening = openingOf(document);
  const header = traceHeader({
    tool: { name: 'messaging-conformance', version: '0.0.0' },
    runId: 'promised',
    startedAtMs: world.startMs,
    ...{ mode: opening.mode, limits: opening.limits, deployment: opening.deployment, keys: opening.keys },
    clocks: [{ id: 'simulation', kind: 'monotonic', offsetMsMax: 0 }],
    plan: { requestsMax: 0, peakRequestsPerSecond: 0, seconds: 0 },
  });
  const exchanges = simulate({ opening, service: serviceOf(document, open), world, seed });
  return assembleTrace([header, ...exchanges, endOf(header)]);
}

/** Must clauses with a verdict of one kind. */
export function mustsWith(trace: Trace, kind: string, judgement: Judgement = judgeTrace(trace)) {
  const { document } = trace.header.deployment;
  return judgement.clauses
    .filter(({ clause, verdict }) => verdict.kind === kind && clauseIn(document, clause)?.level === 'must')
    .map(({ clause }) => clause);
}
