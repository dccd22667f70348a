import { contentFaults } from './faults/contents.ts';
import { dataFaults } from './faults/data.ts';
import { requestFaults } from './faults/requests.ts';
import { senderVariants } from './faults/variants.ts';
import type { Sender } from './sender.ts';
import type { SenderDeviation, SenderFault } from './sender-fault.ts';

/** Every deviation of the sender that breaks a promise of the document, in its order. */
export const senderFaults: readonly SenderFault[] = [...requestFaults, ...contentFaults, ...dataFaults];

/** A fault or a variant of the sender by its name. */
export function findSenderFault(name: string): SenderDeviation | undefined {
  return [...senderFaults, ...senderVariants].find((deviation) => deviation.name === name);
}

/** The sender with all of these deviations, the later ones laid over the earlier. */
export function withSenderFaults(sender: Sender, chosen: readonly SenderDeviation[]): Sender {
  return chosen.reduce((patched, { patch }) => patch(patched), sender);
}
