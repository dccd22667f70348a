import { clauseIn } from '../../contract/clauses/of-document.ts';
import { type Document, documentSchema, limitsOf } from '../../contract/document/document.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { Trace } from '../../contract/trace.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import type { Deviation } from '../../service/faults/fault.ts';
import { offlineService } from '../../service/offline.ts';
import { openingOf } from '../simulation/document-opening.ts';
import { simulatedTrace } from '../simulation/simulated-trace.ts';
import type { World } from '../simulation/world.ts';
import { type DrawnBody, refusalWith } from './drawn-body.ts';
import type { LimiterOpener, PromiseCase } from './keepers.ts';
import type { OneOfTwo } from './several.ts';

/** How many requests in how long one scope of a document promises, in one of the ways of `promiseCases`. */
export type PromisedRate = {
  readonly promise: PromiseCase['promise'];
  readonly limit: number;
  readonly windowSeconds: number;
  /** The status over the limit; left out: 429. */
  readonly status?: number | undefined;
  /** Nothing is promised of headers and bodies. */
  readonly isBare?: boolean | undefined;
  /** What is promised of the bodies of refusals. */
  readonly body?: DrawnBody | null | undefined;
  /** A limit that the scope has besides. */
  readonly also?: OneOfTwo | undefined;
  /** What its requests cost; left out: there is one, and it costs 1. */
  readonly costs?: Costs | undefined;
};

/** What the request costs that stands for a scope, and each of its other ones. */
export type Costs = { readonly cost: number; readonly others: readonly number[] };

/** A document of one scope. */
export function documentOf(rate: PromisedRate): Document {
  const { promise, limit, windowSeconds, status, isBare, also, costs, body } = rate;
  const refused = refusalWith(body, status);
  const further = also === undefined ? {} : { also: [{ name: 'also', ...also }] };
  return documentSchema.parse({
    version: 1,
    title: 'one limit',
    windowSeconds,
    ...refused,
    ...(isBare === true ? { headers: 'none', errors: 'none' } : {}),
    ...(refused.refusal?.bodySchema === undefined ? {} : { errors: 'none' }),
    scopes: {
      items: { title: '/items', limit, promise, ...further, request: { path: '/items' }, ...costing(costs) },
    },
  });
}

function costing(costs: Costs | undefined) {
  if (costs === undefined) return {};
  const { cost, others } = costs;
  const named = others.map((one, at) => ({ request: { path: `/items/other-${at}` }, cost: one }));
  return { cost, ...(named.length === 0 ? {} : { others: named }) };
}

/** The reference service with a limiter of its own, or with faults; without either, as the document says. */
export function serviceOf(document: Document, open: LimiterOpener | null, beside: readonly Deviation[] = []) {
  const faults: readonly Deviation[] =
    open === null
      ? beside
      : [
          {
            name: 'own-limiter',
            summary: 'another limiter',
            patch: (behaviour) => ({ ...behaviour, openWindow: (_scope, rate) => open(rate) }),
          },
          ...beside,
        ];
  const windowMs = document.windowSeconds * 1_000;
  return offlineService({ document, limits: limitsOf(document), windowMs, faults });
}

/** A whole run of one scope against a limiter, in virtual time. */
export function promisedTrace(
  rate: PromisedRate,
  open: LimiterOpener | null,
  { world, seed, faults }: Played,
): Trace {
  const document = documentOf(rate);
  return simulatedTrace(serviceOf(document, open, faults), world, seed, openingOf(document));
}

type Played = {
  readonly world: World;
  readonly seed: number;
  readonly faults?: readonly Deviation[];
};

/** Must clauses with a verdict of one kind. */
export function mustsWith(trace: Trace, kind: string, judgement: Judgement = judgeTrace(trace)) {
  const { document } = trace.header.deployment;
  return judgement.clauses
    .filter(({ clause, verdict }) => verdict.kind === kind && clauseIn(document, clause)?.level === 'must')
    .map(({ clause }) => clause);
}
