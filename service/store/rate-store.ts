import type { Decision, Rate } from '../../limiters/limiter.ts';

/** What a store says to one request; moments are on its own clock. */
export type StoreAnswer =
  | { readonly kind: 'decided'; readonly decision: Decision; readonly nowMs: number }
  /** The request may have been counted all the same. */
  | { readonly kind: 'unavailable' };

/** Windows that are kept outside of this process and decide by themselves: each an exact sliding log. */
export type RateStore = {
  /** Counts a request; answers in bounded time and is never rejected. */
  decide(windowKey: string, rate: Rate): Promise<StoreAnswer>;
  close(): void;
};
