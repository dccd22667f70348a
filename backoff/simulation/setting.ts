import type { Limiter } from '../../limiters/limiter.ts';
import type { Network } from './network.ts';

/** A backlog, who works it off, and what stands between them and the limiter. */
export type Setting = {
  /** Whatever state it has: it is only ever given back its own. */
  readonly limiter: Limiter<unknown>;
  /** Each works off its share of the jobs, one request at a time. */
  readonly clients: number;
  /** Processes among which the clients are dealt out in turn. */
  readonly processes: number;
  readonly jobs: number;
  /** `warm`: others have used up the limit in the window before, evenly. */
  readonly opening: 'cold' | 'warm';
  readonly network: Network;
  /** Whether a 429 has the header `Retry-After` beside the body's field. */
  readonly sendsRetryAfter: boolean;
  /** What answers leave out, where the document does not promise it: the wait in a 429's body, what headers say. */
  readonly lacks?: { readonly bodyWait: boolean; readonly headers: boolean } | undefined;
  /** When it begins, ms on the service's clock: grids of limiters count from 0. */
  readonly startMs: number;
  /** After this long it is broken off. */
  readonly horizonMs: number;
};

/** The jobs of one client: as many as of any other, the first ones one more where it does not come out even. */
export function jobsOf({ jobs, clients }: Setting, client: number): number {
  return Math.floor(jobs / clients) + (client < jobs % clients ? 1 : 0);
}

/** The state of the limiter as the backlog begins. */
export function openedLimiter({ limiter, opening, startMs }: Setting): unknown {
  const state = limiter.start();
  if (opening === 'cold') return state;
  const { limit, windowMs } = limiter;
  for (let used = 0; used < limit; used += 1) {
    limiter.decide(state, startMs - windowMs + ((used + 0.5) * windowMs) / limit);
  }
  return state;
}

/** Nobody asks again sooner, ms: a shorter wait may be none at all where moments round. */
export const instantMs = 1 / 1_024;
