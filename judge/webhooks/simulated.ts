import type { EventArrival } from './arrival.ts';

const fields = ['message_id', 'sender', 'type', 'body'];

/**
 * Whether a `message.received` looks like one that was simulated locally: the document lets it lack `waba_number` and
 * `recipient`. Nothing in the event says where it was made, so that this is observed, and no violation.
 */
export function isSimulated({ envelope: { event, data } }: EventArrival): boolean {
  return (
    event === 'message.received' &&
    data['waba_number'] === undefined &&
    data['recipient'] === undefined &&
    fields.every((name) => typeof data[name] === 'string')
  );
}

/** What is said of them. */
export function simulatedText(count: number): string {
  return `${count} message.received without waba_number and recipient, as the document allows for local simulation`;
}
