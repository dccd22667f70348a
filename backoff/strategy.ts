/**
 * How a client waits between requests: a pure function from what it has been told to a wait. It reads no clock and no
 * randomness of its own, so that simulations, k6 and the client that people use run the very same code. A state may
 * be updated in place, as those of `limiters/` are; the one that is returned is the one to go on with.
 */
export type Strategy<State> = {
  readonly name: string;
  /** Whose experience one state holds. `key`: of all processes together, which takes a store that they share. */
  readonly sharedBy: Sharing;
  /** Whether it is asked before each request too (`ready`), and holds it back while the answer is more than 0. */
  readonly gates: boolean;
  /** Never retries a 429 earlier than it says. Libraries' defaults may; what this project recommends never does. */
  readonly heedsRetryAfter: boolean;
  start(sharers: Sharers): State;
  /**
   * The wait, ms, before the client's next request, or, where it gates, before it asks again. `Infinity` after an answer is
   * `givesUp`; to one that is `ready` it is a wait that only a call ends.
   */
  next(state: State, answer: Answer, random: Random): readonly [waitMs: number, state: State];
  /**
   * Which client that is held back is to ask again at once, however long its wait: what one is answered may let others go.
   * Asked after each `next`, until it says `nobody`.
   */
  called?(state: State): number;
};

export type Sharing = 'request' | 'client' | 'process' | 'key';

/** Who shares a new state: which of how many processes it is of, and how many clients in it ask. */
export type Sharers = { readonly process: number; readonly processes: number; readonly clients: number };

/** One client alone, in one process. */
export const alone: Sharers = { process: 0, processes: 1, clients: 1 };

/**
 * What a client knows when it asks how long to wait.
 * - `ready`: a request is about to be sent. Only strategies that gate are asked then.
 * - `admitted`: it was answered, and not with a 429.
 * - `limited`: with a 429.
 * - `lost`: not at all, for the connection broke; it may have been counted.
 */
export type Answer = {
  readonly kind: 'ready' | 'admitted' | 'limited' | 'lost';
  /** The client's clock, ms since the Unix epoch, when the answer had arrived or as it is asked. */
  readonly nowMs: number;
  /** Which of the clients that share the state asks, from 0. */
  readonly client: number;
  /** How often the job at hand has been sent, with this time; 0 before the first. */
  readonly attempts: number;
  /** `error.retry_after_seconds` of a 429; 0 where there is none. */
  readonly retryAfterSeconds: number;
  /** The header `Retry-After`, as seconds; 0 where there is none. The document does not show it. */
  readonly retryAfterHeaderSeconds: number;
  /** `X-RateLimit-Remaining`; -1 where there is none. */
  readonly remaining: number;
  /** `X-RateLimit-Reset`, s since the Unix epoch; 0 where there is none. */
  readonly resetSeconds: number;
};

/** What a client sends, as far as libraries retry one and not the other: GET, HEAD, PUT and DELETE are idempotent. */
export type Request = { readonly isIdempotent: boolean };

/** Uniform in [0, 1). */
export type Random = () => number;

/** No client is called. */
export const nobody = -1;

/** The wait that says: not at all. The job is lost. */
export const givesUp = Number.POSITIVE_INFINITY;

/** What a 429 asks a client to wait, ms: the longer of the body's field and the header; 0 where it says nothing. */
export function toldMs({ kind, retryAfterSeconds, retryAfterHeaderSeconds }: Answer): number {
  return kind === 'limited' ? Math.max(retryAfterSeconds, retryAfterHeaderSeconds) * 1_000 : 0;
}
