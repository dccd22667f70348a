import type { Announcing } from '../contract/announced-wait.ts';
import type { Alignment, PromiseKind } from '../contract/document/promise.ts';
import { innerMark } from '../contract/document/within.ts';
import type { Credential, Exchange, Route } from '../contract/exchange.ts';
import type { Scope } from '../contract/scopes.ts';
import type { QuietLooks } from './moments.ts';
import type { Vary } from './variation.ts';

/** One request of a step: which of the deployment's requests, and with whose key. */
export type ProbeRequest = {
  readonly scope: Scope;
  readonly route: Route;
  /** Which of the other requests of its scope, for the route `beside`. */
  readonly beside?: number;
  /** Alias of the key; `null` with any credential but `valid`. */
  readonly key: string | null;
  readonly credential: Credential;
};

/** What to do next: send requests at the same time, wait until a moment (ms by the HTTP client's clock), or stop. */
export type Step =
  | { readonly kind: 'send'; readonly purpose: string; readonly requests: readonly ProbeRequest[] }
  | { readonly kind: 'wait'; readonly why: string; readonly untilMs: number }
  | { readonly kind: 'done' };

/** One limit of several. */
export type TargetPart = {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly promise: PromiseKind;
  /** Where its windows begin, as the document says; left out: it does not. */
  readonly aligned?: Alignment;
  /** It is of the scope within which this one lies, and probed there. */
  readonly isOuter?: true;
};

/** One of the other requests of a scope. */
export type OtherCost = { readonly beside: number; readonly cost: number };

/** What a schedule needs to know of the scope that it probes. */
export type Target = {
  readonly scope: Scope;
  readonly limit: number;
  /** How many units of the limit the request takes that stands for the scope. */
  readonly cost: number;
  /** Its other requests, by their place in the document. */
  readonly others: readonly OtherCost[];
  readonly windowMs: number;
  /** What kind of limit the document promises. */
  readonly promise: PromiseKind;
  /** Where its windows begin, as the document says; left out: it does not. */
  readonly aligned?: Alignment;
  /** What stands after the purposes of a probe of one limit of several; left out where its scope has one alone. */
  readonly part?: string;
  /** All limits of a scope that has several, or shares some with another scope. */
  readonly parts?: readonly TargetPart[];
  /** Scopes that share a limit with this one, and are probed before it. */
  readonly after?: readonly Target[];
  /** How long it is left alone after them, ms. */
  readonly pauseMs?: number;
  /** Of the scopes that lie within this one, those whose requests cost as much as its own; left out where none lies within it. */
  readonly inner?: readonly Scope[];
  /** An outage could explain each refusal by itself, so a wrong one has to be seen twice. */
  readonly isDoubtful: boolean;
  readonly key: string;
  /** A second key, used a few times while the first is full; `null` where there is none. */
  readonly otherKey: string | null;
  /** All keys share one window: what was sent with another one counts too. */
  readonly isShared?: boolean;
  readonly hasSubpath: boolean;
  readonly hasOtherMethod: boolean;
  readonly looks: QuietLooks;
  /** How gaps, sizes and order vary; `null` in a run that announces itself. */
  readonly vary: Vary | null;
  /** How refusals announce waits. */
  readonly announcing: Announcing;
};

/** Whether an exchange is of the window that a probe fills. */
export function isOwn({ key, scope, isShared, inner }: Target, exchange: Exchange): boolean {
  if (exchange.credential !== 'valid' || (exchange.key !== key && isShared !== true)) return false;
  if (inner === undefined) return exchange.scope === scope && !isForOuter(exchange);
  // Who refused a request of another scope is not known: what was admitted took a place.
  const isOfInner = inner.includes(exchange.scope) && isForOuter(exchange) && exchange.outcome === 'admitted';
  return exchange.scope === scope || isOfInner;
}

/** Whether an exchange was sent for the probe of the scope within which its own lies. */
function isForOuter({ purpose }: Pick<Exchange, 'purpose'>): boolean {
  return purpose.endsWith(innerMark);
}

/** The exchanges of one key and scope since the anchor. */
export type History = {
  readonly anchor: Exchange;
  readonly own: readonly Exchange[];
  readonly by: (purpose: string) => readonly Exchange[];
  /** Whether a request for a purpose was refused by the limit. */
  readonly wasLimited: (purpose: string) => boolean;
};

/** When an exchange was over for us: answered, or given up. */
export function endedMs({ sentMs, receivedMs }: Exchange): number {
  return receivedMs ?? sentMs;
}

/** When the last of some exchanges was over for us; `-Infinity` where there are none. */
export function lastEndedMs(exchanges: readonly Exchange[]): number {
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const exchange of exchanges) lastMs = Math.max(lastMs, endedMs(exchange));
  return lastMs;
}

/** When the last of some exchanges was sent; `-Infinity` where there are none. */
export function lastSentMs(exchanges: readonly Exchange[]): number {
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const { sentMs } of exchanges) lastMs = Math.max(lastMs, sentMs);
  return lastMs;
}

/** All of these requests at once. */
export function send(purpose: string, all: readonly ProbeRequest[]): Step {
  return { kind: 'send', purpose, requests: all };
}

/** Whether all requests of a scope cost the same, 1, and there is one of them alone. */
export function isOfOneCost({ cost, others }: Pick<Target, 'cost' | 'others'>): boolean {
  return cost === 1 && others.length === 0;
}

/** So many requests with the scope's key. */
export function requests(
  { scope, key }: Pick<Target, 'scope' | 'key'>,
  count: number,
  route: Route = 'main',
): readonly ProbeRequest[] {
  const all: ProbeRequest[] = [];
  for (let at = 0; at < count; at += 1) all.push({ scope, route, key, credential: 'valid' });
  return all;
}

type Moment = {
  readonly dueMs: number;
  readonly purpose: string;
  readonly why: string;
  readonly target: Target;
  readonly nowMs: number;
};

/** One request of the scope, or the wait for the moment at which it is due. */
export function atMoment({ dueMs, purpose, why, target, nowMs }: Moment): Step {
  return nowMs < dueMs ? { kind: 'wait', why, untilMs: dueMs } : send(purpose, requests(target, 1));
}
