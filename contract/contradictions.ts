import type { Deployment } from './deployment.ts';
import { costsIn } from './document/cost.ts';
import { type Document, hasCosts, limitedStatusesOf, scopesOf } from './document/document.ts';
import type { Exchange } from './exchange.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { passedStatusesOf } from './passed.ts';
import type { Limits, Scope } from './scopes.ts';
import { shown } from './shown-json.ts';

/** What the first line of a trace says that its other lines refer to. */
export type FirstLine = {
  readonly startedAt: string;
  readonly windowMs: number;
  readonly limits: Limits;
  readonly deployment: Pick<
    Deployment,
    'document' | 'baseUrls' | 'windowSeconds' | 'requests' | 'otherMethods'
  >;
  readonly clocks: readonly { readonly id: string; readonly kind: 'monotonic' | 'wall' }[];
};

/**
 * What in the first line of a trace contradicts itself, as it stands after "line 1"; `null` where nothing does. A schema
 * looks at one field at a time: a program of somebody else's may write fields that are each right, and wrong together.
 */
export function contradictionIn({ windowMs, limits, deployment }: FirstLine): string | null {
  const seconds = deployment.windowSeconds;
  // As near as a program comes that reckons in another order, or with fewer digits.
  if (Math.abs(windowMs / 1_000 - seconds) > seconds / 1_000)
    return `has the windowMs ${windowMs}, but its deployment the windowSeconds ${seconds}: they are the same window`;
  const scopes = scopesOf(deployment.document);
  const without = scopes.find((scope) => !Object.hasOwn(limits, scope));
  if (without !== undefined)
    return `has no limit of the scope ${shown(without)}, which its document has: limits has one for each scope`;
  const unknown = Object.keys(limits).find((scope) => !scopes.includes(scope));
  return unknown === undefined
    ? null
    : `has a limit of the scope ${shown(unknown)}, but its document has ${listed(scopes)}`;
}

/** Says of the exchanges of a trace, one after another, what in each contradicts itself or the first line; `null`: nothing. */
export function contradictionsTo(header: FirstLine): (exchange: Exchange) => string | null {
  const scopes = new Set(Object.keys(header.limits));
  const kindOf = new Map(header.clocks.map(({ id, kind }) => [id, kind]));
  const { length: nodes } = header.deployment.baseUrls;
  const limited = limitedStatusesOf(header.deployment.document);
  const costs = costsByScope(header.deployment.document);
  const startedAtMs = Date.parse(header.startedAt);
  let isFirst = true;
  return (exchange) => {
    const { scope, key, clock, node, credential, sentMs, receivedMs } = exchange;
    const kind = kindOf.get(clock);
    if (!scopes.has(scope))
      return `has the scope ${shown(scope)}, but the first line has limits of ${listed(scopes)}`;
    if (kind === undefined)
      return `has the clock ${shown(clock)}, but the first line has ${listed(kindOf.keys())}`;
    if (node >= nodes)
      return `has the node ${node}, but the last of baseUrls is ${nodes - 1}, counted from 0`;
    if ((credential === 'valid') !== (key !== null))
      return `has the credential "${credential}" and ${shownKey(key)}: a key stands where a valid one was sent, and there alone`;
    const miscounted = contradictionInCounting(exchange, costs);
    if (miscounted !== null) return miscounted;
    // A wall clock may step between two moments, and by how much nobody knows.
    const isSteady = kind === 'monotonic';
    if (isSteady && receivedMs !== null && receivedMs < sentMs)
      return `was received ${Number((sentMs - receivedMs).toPrecision(3))} ms before it was sent, by a clock that never steps`;
    if ((isSteady || isFirst) && Math.abs(sentMs - startedAtMs) > longestMs)
      return `has the sentMs ${sentMs}, more than a year from the startedAt ${header.startedAt}: sentMs is in ms since 1970`;
    isFirst = false;
    return contradictionInAnswer(exchange, limited, passedStatusesOf(header.deployment, exchange));
  };
}

/** No trace is that long; a moment in another unit than ms, or not since 1970, is further off. */
const longestMs = 366 * 86_400_000;

type CostsByScope = ReadonlyMap<Scope, ReadonlySet<number>>;

/** What the requests of each scope may cost; of a document that says nothing of costs, none: nothing is known of them. */
function costsByScope(document: Document): CostsByScope {
  if (!hasCosts(document)) return new Map();
  return new Map(Object.entries(document.scopes).map(([scope, named]) => [scope, costsIn(named)]));
}

function contradictionInCounting({ scope, key, cost }: Exchange, costs: CostsByScope): string | null {
  if (key?.includes('+') === true)
    return `has the key ${shown(key)}: "+" stands between keys that are counted together, and in the name of none`;
  const said = costs.get(scope);
  return cost === undefined || said === undefined || said.has(cost)
    ? null
    : `has the cost ${cost}, but by its document requests of ${shown(scope)} cost ${listed([...said].map(String))}`;
}

function contradictionInAnswer(
  { status, receivedMs, outcome }: Exchange,
  limited: readonly number[],
  passed: readonly number[],
): string | null {
  if (status !== null && (status < 100 || status > 999))
    return `has the status ${status}: without an answer, status and receivedMs are null`;
  if ((status === null) !== (receivedMs === null))
    return `has the status ${status} and the receivedMs ${receivedMs}: without an answer both are null`;
  const right = outcomeOf(status, limited, passed);
  return outcome === right ? null : `has the outcome "${outcome}", but ${whatMakes(status, right)}`;
}

function whatMakes(status: number | null, outcome: Outcome): string {
  return status === null
    ? `without an answer it is "${outcome}"`
    : `a status of ${status} makes it "${outcome}"`;
}

function shownKey(key: string | null): string {
  return key === null ? 'no key' : `the key ${shown(key)}`;
}

function listed(names: Iterable<string>): string {
  // Made where it is needed: it takes a twentieth of the time in which a short trace is judged.
  return new Intl.ListFormat('en-GB').format(names);
}
