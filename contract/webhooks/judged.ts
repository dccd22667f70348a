import type { ClauseJudgement } from '../judgement.ts';
import type { Delivery } from './trace.ts';

/** A request that is no webhook, or came to another path: nothing is judged by it. */
export type OtherRequest = {
  readonly method: string;
  readonly path: string;
  /** Whether it has a mark of a webhook all the same, and only came to another path. */
  readonly isMarked: boolean;
};

/** How many deliveries arrived whole, and how many of these have a signature that a secret gives. */
export type SignatureCounts = { readonly whole: number; readonly fitting: number };

/** What was found about a trace of deliveries. */
export type JudgedWebhooks = {
  readonly judgements: readonly ClauseJudgement[];
  /** The path that webhooks came to; `null` where nothing looks like one. */
  readonly path: string | null;
  /** What was judged: requests to that path that look like webhooks. */
  readonly deliveries: readonly Delivery[];
  readonly others: readonly OtherRequest[];
  /** `null` where no secret was given. */
  readonly signatures: SignatureCounts | null;
};
