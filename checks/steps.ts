import type { Credential, Exchange, Route } from '../contract/exchange.ts';
import type { Scope } from '../contract/scopes.ts';

/** One request of a step: which of the deployment's requests, and with whose key. */
export type ProbeRequest = {
  readonly scope: Scope;
  readonly route: Route;
  /** Alias of the key; `null` with any credential but `valid`. */
  readonly key: string | null;
  readonly credential: Credential;
};

/** What to do next: send requests at the same time, wait until a moment (ms by the HTTP client's clock), or stop. */
export type Step =
  | { readonly kind: 'send'; readonly purpose: string; readonly requests: readonly ProbeRequest[] }
  | { readonly kind: 'wait'; readonly why: string; readonly untilMs: number }
  | { readonly kind: 'done' };

/** What a schedule needs to know of the scope that it probes. */
export type Target = {
  readonly scope: Scope;
  readonly limit: number;
  readonly windowMs: number;
  readonly key: string;
  /** A second key, used a few times while the first is full; `null` where there is none. */
  readonly otherKey: string | null;
  readonly hasSubpath: boolean;
  readonly hasOtherMethod: boolean;
};

/** The exchanges of one key and scope since the anchor. */
export type History = {
  readonly anchor: Exchange;
  readonly own: readonly Exchange[];
  readonly by: (purpose: string) => readonly Exchange[];
};

/** When an exchange was over for us: answered, or given up. */
export function endedMs({ sentMs, receivedMs }: Exchange): number {
  return receivedMs ?? sentMs;
}
