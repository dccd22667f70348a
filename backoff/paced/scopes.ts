import type { ReadHeaders } from './headers.ts';

/** What tells one request from another before it is sent. */
export type PacedRequestHead = {
  readonly method: string;
  readonly origin: string;
  /** With its query. */
  readonly path: string;
};

export const limitKinds = ['rolling', 'token-bucket'] as const;

export type LimitKind = (typeof limitKinds)[number];

/** One scope: the requests that share a limit. */
export type ScopeRule = {
  /** Requests that the service allows one key in any window. */
  readonly limit: number;
  /** The length of its rolling window, s. Default: that of the options. */
  readonly windowSeconds?: number;
  /**
   * How places come back: each a window after its request (`rolling`, which any limiter of that limit lets pass), or one after
   * another, as a token bucket gets them: it holds `limit`, and gets as many back in a window. Default: rolling.
   */
  readonly kind?: LimitKind;
  /** Limits that a request has to pass besides. */
  readonly also?: readonly {
    readonly limit: number;
    readonly windowSeconds: number;
    readonly kind?: LimitKind;
  }[];
  /** Another scope, in whose limits these requests take places too. */
  readonly within?: string;
  /** How many places of each limit a request takes. Default: 1. */
  readonly cost?: number | ((request: PacedRequestHead) => number);
  /** Whether headers tell how much is left of `limit`. Default: true, but where there are several limits. */
  readonly learnFromHeaders?: boolean;
  /** How its answers tell it, where they do otherwise than the options say. */
  readonly readHeaders?: ReadHeaders;
  /**
   * Which requests belong to it: a path and all that lies below it, an expression that their path matches, or any
   * question. Left out: all that no scope before it takes.
   */
  readonly match?: string | RegExp | ((request: PacedRequestHead) => boolean);
};

/** Scopes by their name; the first that matches counts, in the order in which they are written. */
export type Scopes = Readonly<Record<string, ScopeRule>>;

/** Of a limit, the part of one process. */
export function ownMaxOf(limit: number, share: number): number {
  // A third of 300, three times a third of which is 300, is 100 and not 99.
  return Math.floor(limit * share + 1e-9);
}

/** How many places a request takes; at least 1, whatever a function gives. */
export function costIn({ cost = 1 }: ScopeRule, request: PacedRequestHead): number {
  if (typeof cost === 'number') return cost;
  const given = cost(request);
  return Number.isFinite(given) ? Math.max(1, Math.ceil(given)) : 1;
}

/** The name of the scope that a request belongs to; `null` where none matches. */
export function scopeOf(scopes: Scopes, request: PacedRequestHead): string | null {
  for (const [name, { match }] of Object.entries(scopes)) if (isMatch(match, request)) return name;
  return null;
}

function isMatch(match: ScopeRule['match'], request: PacedRequestHead): boolean {
  if (match === undefined) return true;
  if (typeof match === 'function') return match(request);
  const path = pathOnly(request.path);
  if (typeof match === 'string') return path === match || path.startsWith(match.replace(/\/*$/, '/'));
  // An expression with the flag g or y goes on from where it last matched.
  match.lastIndex = 0;
  return match.test(path);
}

function pathOnly(path: string): string {
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}
