import type { Dispatcher, Pool } from 'undici';
import type { Document } from '../contract/document/document.ts';
import { recordedNames } from '../contract/document/headers.ts';
import { recordedRetryAfter, usualRetryAfter } from '../contract/document/retry-after.ts';
import { headersIn, type ScopedHeaders } from '../contract/document/scope-headers.ts';
import type { Exchange } from '../contract/exchange.ts';
import { headerCharactersMax, isSuccess, outcomeOf } from '../contract/outcome.ts';
import type { Scope } from '../contract/scopes.ts';
import type { SentLine } from '../contract/sent.ts';
import type { Answer } from './answer.ts';
import { bothClocks, type Clock } from './clock.ts';
import type { Route } from './route.ts';
import type { ProbeRequest } from './steps.ts';

/** Id of the clock that this client times its exchanges by, as a trace names it. */
export const httpClientClockId = 'undici';

/** A request of a schedule, ready to leave. */
export type Ready = {
  readonly pool: Pool;
  readonly node: number;
  readonly index: number;
  readonly requestId: string;
  readonly purpose: string;
  readonly request: ProbeRequest;
  /** What it costs, where that is not 1. */
  readonly costing: { readonly cost?: number };
  /** Without a key in its query. */
  readonly path: string;
  /** As it leaves, perhaps by way of a proxy. */
  readonly onWire: Dispatcher.DispatchOptions;
} & Pick<Route, 'alert'>;

/** One line for each kind of request among those that leave together. */
export function sentLines(ready: readonly Ready[], clock: Clock): readonly SentLine[] {
  const { monotonicMs: sentMs, wallMs: wallSentMs } = bothClocks(clock);
  const alike = Map.groupBy(ready, (one) => JSON.stringify(commonOf(one)));
  return [...alike.values()].map((group) => ({
    kind: 'sent',
    ...commonOf(group[0] as Ready),
    sentMs,
    wallSentMs,
    requests: group.map(({ index, requestId, node }) => ({ index, requestId, node })),
  }));
}

function commonOf({ purpose, request, costing, onWire, path }: Ready) {
  const { scope, route, key, credential } = request;
  const { method } = onWire;
  return {
    driver: 'undici',
    clock: httpClientClockId,
    scope,
    route,
    key,
    credential,
    purpose,
    method,
    path,
    ...costing,
  } as const;
}

/** The names of the rate-limit headers, `null` where a document names none, and of that which says how long to wait. */
type HeaderNames = Exchange['headers'] & { readonly retryAfter: string };

/** The names as undici has them, by the scope of a request. */
export function smallNamesBy(
  document: ScopedHeaders & Pick<Document, 'refusal'>,
): (scope: Scope) => HeaderNames {
  const small = (name: string | null): string | null => name?.toLowerCase() ?? null;
  const retryAfter = recordedRetryAfter(document.refusal).toLowerCase();
  const namesOf = (scope: Scope): HeaderNames => {
    const { limit, remaining, reset } = recordedNames(headersIn(document, scope));
    return { limit: small(limit), remaining: small(remaining), reset: small(reset), retryAfter };
  };
  const known = new Map<Scope, HeaderNames>();
  return (scope) => {
    const names = known.get(scope) ?? namesOf(scope);
    known.set(scope, names);
    return names;
  };
}

/** How answers to a deployment's requests are read: the statuses of those over the limit, and of those that pass beside 2xx, and the names of a scope's headers. */
export type AnswersRead = {
  readonly limited: readonly number[];
  readonly passedBy: (request: ProbeRequest) => readonly number[];
  readonly namesIn: (scope: Scope) => HeaderNames;
};

/** What happened to a request. */
export function exchangeOf(
  ready: Ready,
  answer: Answer,
  { limited, passedBy, namesIn }: AnswersRead,
): Exchange {
  const { index, requestId, node } = ready;
  const outcome = outcomeOf(answer.status, limited, passedBy(ready.request));
  const names = namesIn(ready.request.scope);
  return {
    kind: 'exchange',
    ...commonOf(ready),
    index,
    node,
    requestId,
    sentMs: answer.sentMs,
    receivedMs: answer.receivedMs,
    wallSentMs: answer.wallSentMs,
    wallReceivedMs: answer.wallReceivedMs,
    status: answer.status,
    headers: {
      limit: namedText(answer, names.limit),
      remaining: namedText(answer, names.remaining),
      reset: namedText(answer, names.reset),
    },
    // Of other layers HTTP's own says how long to leave them alone.
    retryAfter: headerText(answer, outcome === 'limited' ? names.retryAfter : smallRetryAfter),
    date: headerText(answer, 'date'),
    contentType: headerText(answer, 'content-type'),
    server: headerText(answer, 'server'),
    ...(answer.status === null || isSuccess(answer.status)
      ? { body: null }
      : { body: answer.body, bodyState: answer.bodyState }),
    failure: answer.failure,
    outcome,
  };
}

const smallRetryAfter = usualRetryAfter.toLowerCase();

function namedText(answer: Answer, name: string | null): string | null {
  return name === null ? null : headerText(answer, name);
}

function headerText({ headers }: Answer, name: string): string | null {
  const value = headers[name];
  if (value === undefined) return null;
  return (typeof value === 'string' ? value : value.join(', ')).slice(0, headerCharactersMax);
}
