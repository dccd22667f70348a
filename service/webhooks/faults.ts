import type { Complete } from '../../contract/complete.ts';
import type { MustWebhookClauseId } from '../../contract/webhooks/clauses.ts';
import { contentFaults } from './faults/contents.ts';
import { dataFaults } from './faults/data.ts';
import { requestFaults } from './faults/requests.ts';
import { senderVariants } from './faults/variants.ts';
import type { Sender } from './sender.ts';
import type { SenderDeviation, SenderFault } from './sender-fault.ts';

const known = [...requestFaults, ...contentFaults, ...dataFaults] as const;

type Proved = (typeof known)[number]['must'][number];

type Unproved = Exclude<MustWebhookClauseId, Proved>;

/** Every deviation of the sender that breaks a promise of the document, in its order. */
export const senderFaults: Complete<readonly SenderFault[], `${Unproved}: no fault must violate it`> = known;

/** A fault or a variant of the sender by its name. */
export function findSenderFault(name: string): SenderDeviation | undefined {
  return [...senderFaults, ...senderVariants].find((deviation) => deviation.name === name);
}

/** The sender with all of these deviations, the later ones laid over the earlier. */
export function withSenderFaults(sender: Sender, chosen: readonly SenderDeviation[]): Sender {
  return chosen.reduce((patched, { patch }) => patch(patched), sender);
}
