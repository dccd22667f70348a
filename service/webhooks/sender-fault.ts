import type { WebhookClauseId } from '../../contract/webhooks/clauses.ts';
import type { Sender } from './sender.ts';

/** One named way in which the sender of webhooks can differ from the reference. */
export type SenderDeviation = {
  readonly name: string;
  readonly summary: string;
  readonly patch: (sender: Sender) => Sender;
};

/** A deviation that breaks a promise of the document, and the verdicts that it has to lead to. */
export type SenderFault<Must extends WebhookClauseId = WebhookClauseId> = SenderDeviation & {
  /** Clauses that it violates in every whole run. */
  readonly must: readonly Must[];
  /** Reasons by which verdicts may name the violations. */
  readonly reasons: readonly string[];
};

/** A deviation that the document allows: it violates nothing, and is observed. */
export type SenderVariant = SenderDeviation & {
  /** A clause that observes it, and a part of what it says. */
  readonly observed: readonly [clause: WebhookClauseId, says: string];
};
