import type { ClauseJudgement } from '../judgement.ts';
import type { Delivery } from './trace.ts';

/** Requests that are no webhooks, or came to another path: nothing is judged by them. */
export type OtherRequests = {
  readonly total: number;
  /** Those that look like a webhook all the same, and only came to another path. */
  readonly marked: number;
  /** The most frequent kinds; all others are only counted. */
  readonly listed: readonly OtherRequest[];
};

export type OtherRequest = { readonly method: string; readonly path: string; readonly count: number };

/** What was judged: requests to the path that was judged which look like webhooks. */
export type DeliveryCounts = {
  readonly total: number;
  /** Deliveries whose sender broke off before the end of the body. */
  readonly brokenOff: number;
  readonly byAnswer: Readonly<Record<Delivery['answer'], number>>;
};

/** How many deliveries arrived whole, and how many of these have a signature that a secret gives. */
export type SignatureCounts = { readonly whole: number; readonly fitting: number };

/** What was found about a trace of deliveries. */
export type JudgedWebhooks = {
  readonly judgements: readonly ClauseJudgement[];
  /** The path that webhooks came to; `null` where nothing looks like one. */
  readonly path: string | null;
  readonly deliveries: DeliveryCounts;
  readonly others: OtherRequests;
  /** When the last request of any kind arrived, ms since the Unix epoch; `null` where none did. */
  readonly lastMs: number | null;
  /** `null` where no secret was given. */
  readonly signatures: SignatureCounts | null;
};
