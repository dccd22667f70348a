import { scopes } from '../contract/scopes.ts';
import type {
  ApiError,
  Behaviour,
  Counted,
  CountedRequest,
  HeaderField,
  RateSettings,
  Ruling,
} from './behaviour.ts';
import { jsonType } from './choices.ts';
import { pathOf } from './path.ts';
import { createWindowTable } from './window-table.ts';

/** One request as it arrives: its head only, and when and where it arrived. */
export type GateRequest = {
  readonly method: string;
  /** The request target, as it stands in the request line. */
  readonly path: string;
  readonly authorization: string | null;
  readonly connection: number;
  readonly node: number;
  /** On the service's clock, ms since the Unix epoch; must not go back. */
  readonly nowMs: number;
};

/** A whole answer. Two fields of one name are two header lines. */
export type Answer = {
  readonly status: number;
  readonly headers: readonly HeaderField[];
  readonly body: string;
};

/** What an answer is about, and when it is given. */
export type AnswerContext = { readonly counted: Counted | null; readonly nowMs: number };

export type Success = { readonly status: number; readonly data: unknown };

/** The service without its sockets: says what becomes of a request, and gives every answer its form. */
export type Gate = {
  rule(request: GateRequest): Ruling;
  success(success: Success, context: AnswerContext): Answer;
  failure(error: ApiError, context: AnswerContext): Answer;
};

export type GateSettings = RateSettings & {
  readonly behaviour: Behaviour;
  /** The alias of a secret; `null` where it is not a key. */
  readonly aliasOf: (secret: string) => string | null;
};

/**
 * A gate with no request counted yet.
 * @throws {RangeError} where the limiter of a scope cannot keep its rate.
 */
export function createGate({ behaviour, aliasOf, limits, windowMs }: GateSettings): Gate {
  const rates = {
    standard: { limit: limits.standard, windowMs },
    messages: { limit: limits.messages, windowMs },
    media: { limit: limits.media, windowMs },
  };
  // Unusable settings should end the start of a service, not its first request.
  for (const scope of scopes) behaviour.openWindow(scope, rates[scope]);
  const windows = createWindowTable(windowMs);

  const count = (request: CountedRequest, nowMs: number): Counted => {
    const rate = rates[request.scope];
    const open = () => behaviour.openWindow(request.scope, rate);
    const window = windows.at(behaviour.windowKey(request), nowMs, open);
    const decision = behaviour.decide(request, { rate, window, nowMs });
    return { ...request, rate, decision, nowMs };
  };

  const headers = (status: number, contentType: string, { counted, nowMs }: AnswerContext): HeaderField[] => {
    const fields: HeaderField[] = [
      ['Content-Type', contentType],
      ['Date', behaviour.date(nowMs)],
    ];
    if (counted !== null) fields.push(...behaviour.rateLimitHeaders(counted, status));
    return fields;
  };

  return {
    rule({ method, path: target, authorization, connection, node, nowMs }) {
      const authentication = behaviour.authenticate(authorization, aliasOf);
      if (authentication.kind === 'refused')
        return { kind: 'refuse', counted: null, error: authentication.error };
      const path = pathOf(target);
      const scope = behaviour.scopeOf(path);
      const counted = count({ key: authentication.key, scope, method, path, connection, node }, nowMs);
      return counted.decision.admitted ? behaviour.withinLimit(counted) : behaviour.overLimit(counted);
    },
    success({ status, data }, context) {
      const body = JSON.stringify({ success: true, data });
      return { status, headers: headers(status, jsonType, context), body };
    },
    failure(error, context) {
      const { contentType, text } = behaviour.errorBody(error);
      const fields = [...headers(error.status, contentType, context), ...(error.headers ?? [])];
      return { status: error.status, headers: fields, body: text };
    },
  };
}
