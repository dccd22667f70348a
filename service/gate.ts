import { pathOf } from '../contract/document/paths.ts';
import type { Scope } from '../contract/scopes.ts';
import type { Decision, Rate } from '../limiters/limiter.ts';
import { type Answers, createAnswers } from './answers.ts';
import { anybody } from './authentication.ts';
import type { Behaviour, CountedRequest, DecidedRequest, RateSettings, Ruling } from './behaviour.ts';
import { createWindowTable } from './window-table.ts';

/** One request as it arrives: its head only, and when and where it arrived. */
export type GateRequest = {
  readonly method: string;
  /** The request target, as it stands in the request line. */
  readonly path: string;
  readonly authorization: string | null;
  /** Left out where the client sends none. */
  readonly userAgent?: string | undefined;
  readonly connection: number;
  readonly node: number;
  /** On the service's clock, ms since the Unix epoch; must not go back. */
  readonly nowMs: number;
};

/** The service without its sockets: it decides about each request, and gives every answer its form. */
export type Gate = Answers & { rule(request: GateRequest): Ruling };

/** A gate that may have to ask a store first. Its promises never reject. */
export type WaitingGate = Answers & { rule(request: GateRequest): Ruling | Promise<Ruling> };

export type GateSettings = RateSettings & {
  readonly behaviour: Behaviour;
  /** The alias of a secret; `null` where it is not a key. */
  readonly aliasOf: (secret: string) => string | null;
};

/**
 * A gate with no request counted yet, whose windows are in this process.
 * @throws {RangeError} where the limiter of a scope cannot keep its rate.
 */
export function createGate(settings: GateSettings): Gate {
  const { behaviour, windowMs } = settings;
  const rates = ratesOf(settings);
  // Unusable settings should fail at the start of a service, not at its first request.
  for (const [scope, rate] of Object.entries(rates)) behaviour.openWindow(scope, rate);
  const windows = createWindowTable(windowMs);

  const decide = (request: CountedRequest, rate: Rate, nowMs: number): Decision => {
    const open = () => behaviour.openWindow(request.scope, rate);
    const window = windows.at(behaviour.windowKey(request), nowMs, open);
    return behaviour.decide(request, { rate, window, nowMs });
  };
  const decideByOuter = (request: CountedRequest, nowMs: number): Decision | null => {
    const outer = behaviour.outerOf(request.scope);
    return outer === null ? null : decide({ ...request, scope: outer }, rates[outer] as Rate, nowMs);
  };

  const count = (request: CountedRequest, nowMs: number): DecidedRequest => {
    const rate = rates[request.scope] as Rate;
    const outer = decideByOuter(request, nowMs);
    const decision = outer === null || outer.admitted ? decide(request, rate, nowMs) : outer;
    const { key, scope, method, path, cost, userAgent, connection, node } = request;
    // Written out: an object with all of another one and more is made several times as slowly.
    return { key, scope, method, path, cost, userAgent, connection, node, rate, decision, nowMs };
  };

  return {
    rule(request) {
      const received = receive(settings, request);
      if (received.kind === 'refuse') return received;
      return rulingOn(behaviour, count(received.request, request.nowMs));
    },
    ...createAnswers(behaviour),
  };
}

/** The rate of each scope. A behaviour finds no other scopes than the settings have limits of. */
export function ratesOf({
  limits,
  windowMs,
  behaviour,
}: RateSettings & { readonly behaviour: Pick<Behaviour, 'windowShareOf'> }): Readonly<Record<Scope, Rate>> {
  return Object.fromEntries(
    Object.entries(limits).map(([scope, limit]) => [
      scope,
      { limit, windowMs: windowMs * behaviour.windowShareOf(scope) },
    ]),
  );
}

export type ReceivedRequest =
  | { readonly kind: 'count'; readonly request: CountedRequest }
  | Extract<Ruling, { readonly kind: 'refuse' }>;

/** Whose request it is and what it counts as; refused where it has no valid key. */
export function receive({ behaviour, aliasOf }: GateSettings, asked: GateRequest): ReceivedRequest {
  const authentication = behaviour.authenticate(asked.authorization, aliasOf);
  const { method, userAgent, connection, node } = asked;
  const path = pathOf(asked.path);
  const scope = behaviour.scopeOf(path, method);
  if (authentication.kind === 'refused' && behaviour.isOpen?.(scope) !== true)
    return { kind: 'refuse', counted: null, error: authentication.error };
  const key = authentication.kind === 'key' ? authentication.key : anybody;
  const request = { key, scope, method, path, cost: 1, userAgent, connection, node };
  const cost = behaviour.costOf(request);
  return { kind: 'count', request: cost === 1 ? request : { ...request, cost } };
}

export function rulingOn(behaviour: Behaviour, counted: DecidedRequest): Ruling {
  return counted.decision.admitted ? behaviour.withinLimit(counted) : behaviour.overLimit(counted);
}
