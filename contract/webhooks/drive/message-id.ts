/** A message of a case: its label there, and the run's own id, so that no run meets another's messages. */
export type DrivenMessage = { readonly runId: string; readonly caseId: string; readonly message: string };

/** The id under which a message is known to the receiver, e.g. `msg_3f1c20aa_repeated.in-turn_repeated`. */
export function messageIdOf({ runId, caseId, message }: DrivenMessage): string {
  return `msg_${runId}_${caseId}_${message}`;
}
