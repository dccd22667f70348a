import { didYouMean } from '../../contract/nearest.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { buildEvent, sampleFacts } from '../../contract/webhooks/build-event.ts';
import { type EventKind, eventKinds } from '../../contract/webhooks/event.ts';

export type EventFlags = {
  readonly messageId?: string;
  readonly business?: string;
  readonly customer?: string;
  readonly text?: string;
  readonly timestamp?: number;
  readonly simulated?: true;
  readonly set?: readonly string[];
};

export type EventOptions = {
  readonly flags: EventFlags;
  /** The id of the message if none is given. */
  readonly freshId: string;
  readonly nowSeconds: number;
};

/**
 * An event by its kind ("message.read", or "read"), with the values of the flags. `--set` may break any rule: that is its
 * purpose.
 * @throws {UsageError} where the kind or a field cannot be read.
 */
export function eventOf(name: string, { flags, freshId, nowSeconds }: EventOptions) {
  const kind = kindOf(name);
  if (flags.text !== undefined && kind !== 'message.received') {
    throw new UsageError(`--text is for message.received, not for ${kind}: leave it out.`);
  }
  const facts = {
    messageId: flags.messageId ?? freshId,
    businessNumber: numberOf('--business', flags.business, sampleFacts.businessNumber),
    customerNumber: numberOf('--customer', flags.customer, sampleFacts.customerNumber),
    text: flags.text ?? sampleFacts.text,
  };
  const { event, timestamp, data } = buildEvent(kind, facts, flags.timestamp ?? nowSeconds);
  const kept = flags.simulated === true ? simulated(kind, data) : data;
  return { event, timestamp, data: { ...kept, ...Object.fromEntries((flags.set ?? []).map(fieldOf)) } };
}

function numberOf(flag: string, given: string | undefined, otherwise: string): string {
  if (given === undefined) return otherwise;
  if (/^\d+$/.test(given)) return given;
  throw new UsageError(
    `${flag} ${given}: give digits only, e.g. ${otherwise}; --set sends a field that is wrong on purpose.`,
  );
}

const shortNames = eventKinds.map((kind) => kind.replace('message.', ''));

/**
 * An event by its name ("message.read", or "read").
 * @throws {UsageError} where there is none of that name.
 */
export function kindOf(name: string): EventKind {
  const kind = eventKinds.find((one) => one === name || one === `message.${name}`);
  if (kind !== undefined) return kind;
  throw new UsageError(
    `There is no event "${name}"${didYouMean(name, shortNames)} Events: ${eventKinds.join(', ')}.`,
  );
}

/** The fields that a locally simulated message has at least, by the document. */
function simulated(kind: EventKind, data: Readonly<Record<string, unknown>>) {
  if (kind !== 'message.received')
    throw new UsageError(`--simulated is for message.received, not for ${kind}.`);
  const { message_id, sender, type, body } = data;
  return { message_id, sender, type, body };
}

/** `name=value`: JSON where the value is JSON, else text. */
function fieldOf(text: string): readonly [string, unknown] {
  const at = text.indexOf('=');
  if (at < 1)
    throw new UsageError(`--set ${text}: give a field of data and its value, e.g. --set type=image.`);
  const value = text.slice(at + 1);
  try {
    return [text.slice(0, at), JSON.parse(value) as unknown];
  } catch {
    return [text.slice(0, at), value];
  }
}
