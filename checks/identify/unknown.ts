import type { ProbeRequest } from '../steps.ts';

/** An unknown limiter, and what is believed about it. */
export type Unknown = {
  readonly request: ProbeRequest;
  readonly limit: number | null;
  readonly windowMs: number | null;
  /** How many whole windows are watched; `auto` takes a second one where the first leaves open what the limiter is. */
  readonly windows: 1 | 2 | 'auto';
  /** No window is waited for longer than this. */
  readonly windowMsMax: number;
  /** Requests after which a limiter that refused none of them counts as none. */
  readonly unlimitedAfter: number;
};

/** Where nothing is said, the window that most limiters have. */
const usualWindowMs = 60_000;

/** The window that a run is laid out for. */
export function expectedWindowMs({ windowMs }: Pick<Unknown, 'windowMs'>): number {
  return windowMs ?? usualWindowMs;
}
