import type { Verdict } from '../../contract/verdict.ts';
import type { Beside } from '../../contract/webhooks/beside.ts';
import type { OtherRequest } from '../../contract/webhooks/judged.ts';
import type { Delivery, WebhookTrace } from '../../contract/webhooks/trace.ts';
import { type Arrival, arrivalOf, type EventArrival } from './arrival.ts';
import { type Reached, webhooksAmong } from './webhooks-among.ts';

/** A trace of deliveries, read once for all judges. */
export type WebhookCase = {
  readonly trace: WebhookTrace;
  /** The path that webhooks came to; `null` where nothing looks like one. */
  readonly path: string | null;
  /** What is judged: requests to that path that look like webhooks. */
  readonly deliveries: readonly Delivery[];
  /** All other requests; nothing is judged by them. */
  readonly others: readonly OtherRequest[];
  /** Those whose body arrived, and was kept, whole. */
  readonly arrivals: readonly Arrival[];
  readonly events: readonly EventArrival[];
  /** Secrets that may have signed; none where none was given. */
  readonly secrets: readonly string[];
  readonly beside: Beside | null;
};

/** What is known besides the deliveries. */
export type Knowledge = {
  /** Secrets that may have signed; without them signatures are looked at, and not verified. */
  readonly secrets: readonly string[];
  /** What was sent to the deployment meanwhile; `null` where that is not known. */
  readonly beside: Beside | null;
};

export type WebhookJudge = (subject: WebhookCase) => Verdict;

export function webhookCaseOf(trace: WebhookTrace, { secrets, beside }: Knowledge): WebhookCase {
  const reached = trace.deliveries.map((delivery): Reached => ({ delivery, arrival: arrivalOf(delivery) }));
  const { path, webhooks, others } = webhooksAmong(reached, trace.header.path);
  const arrivals = webhooks.flatMap(({ arrival }) => arrival ?? []);
  return {
    trace,
    path,
    deliveries: webhooks.map(({ delivery }) => delivery),
    others,
    arrivals,
    events: arrivals.filter((arrival): arrival is EventArrival => arrival.envelope !== null),
    secrets,
    beside,
  };
}
