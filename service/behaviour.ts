import type { Path } from '../contract/document/paths.ts';
import type { Limits, Scope } from '../contract/scopes.ts';
import type { Decision, Rate, RateWindow } from '../limiters/limiter.ts';

/** How much each key may do in each scope. */
export type RateSettings = { readonly limits: Limits; readonly windowMs: number };

export type HeaderField = readonly [name: string, value: string];

/** An error as this service thinks of it, before `errorBody` gives it its shape. */
export type ApiError = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly retryAfterSeconds?: number;
  readonly headers?: readonly HeaderField[];
  /** The request passed, and the document has it answered so. */
  readonly hasPassed?: true;
};

/** Whose request it is: the alias of a known key, or why there is none. */
export type Authentication =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'refused'; readonly error: ApiError };

/** What distinguishes one request from another before it is counted. */
export type CountedRequest = {
  readonly key: string;
  readonly scope: Scope;
  readonly method: string;
  readonly path: Path;
  /** How many places of its window it takes. */
  readonly cost: number;
  /** The client's User-Agent; left out where it sends none. */
  readonly userAgent?: string | undefined;
  /** Number of the client's connection. */
  readonly connection: number;
  /** Number of the service's node. */
  readonly node: number;
};

/** A request that was counted, and the decision about it. */
export type DecidedRequest = CountedRequest & {
  /** The limit and window of the scope in the settings. The limiter may keep others. */
  readonly rate: Rate;
  readonly decision: Decision;
  /** The moment of the decision. */
  readonly nowMs: number;
};

/** What a decision can depend on besides the request: the rate of the scope, the open window, and the moment. */
export type DecisionContext = { readonly rate: Rate; readonly window: RateWindow; readonly nowMs: number };

/**
 * What to do with a request. A delayed request is served like an admitted one, but later. A dropped request is never
 * answered. A refused request without a valid key was counted in no window: its `counted` is `null`.
 */
export type Ruling =
  | { readonly kind: 'admit'; readonly counted: DecidedRequest }
  | { readonly kind: 'delay'; readonly counted: DecidedRequest; readonly delayMs: number }
  | { readonly kind: 'drop'; readonly counted: DecidedRequest }
  | { readonly kind: 'refuse'; readonly counted: DecidedRequest | null; readonly error: ApiError };

export type Body = { readonly contentType: string; readonly text: string };

/**
 * Every decision of the service that the document makes a promise about, one field each. A fault replaces a few of
 * them: `(behaviour) => ({ ...behaviour, date: … })`.
 */
export type Behaviour = {
  readonly authenticate: (
    authorization: string | null,
    aliasOf: (secret: string) => string | null,
  ) => Authentication;
  readonly scopeOf: (path: Path, method: string) => Scope;
  /** Whether a scope serves whoever has no valid key; left out: none does. */
  readonly isOpen?: (scope: Scope) => boolean;
  /** The scope in whose window the requests of another one take places too, before they do in its own; else `null`. */
  readonly outerOf: (scope: Scope) => Scope | null;
  /** How many places of the window of its scope a request takes. */
  readonly costOf: (request: Omit<CountedRequest, 'cost'>) => number;
  /** Requests with the same text share one window. */
  readonly windowKey: (request: CountedRequest) => string;
  readonly openWindow: (scope: Scope, rate: Rate) => RateWindow;
  /** How long the window of a scope is, as a multiple of the settings' `windowMs`. */
  readonly windowShareOf: (scope: Scope) => number;
  /** Whether a request passes. The documented behaviour asks the window and nothing else. */
  readonly decide: (request: CountedRequest, asked: DecisionContext) => Decision;
  readonly withinLimit: (counted: DecidedRequest) => Ruling;
  readonly overLimit: (counted: DecidedRequest) => Ruling;
  readonly rateLimitHeaders: (counted: DecidedRequest, status: number) => readonly HeaderField[];
  readonly errorBody: (error: ApiError) => Body;
  readonly date: (nowMs: number) => string;
};
