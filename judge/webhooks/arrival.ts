import { type ParsedBody, parseBody } from '../../contract/error-body.ts';
import { isJsonObject } from '../../contract/json-object.ts';
import { bytesOf } from '../../contract/webhooks/body.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';

/** What a body says once it is found to be an envelope: further checks read these fields. */
export type Envelope = {
  readonly event: string;
  readonly timestamp: unknown;
  readonly data: Readonly<Record<string, unknown>>;
};

/** A delivery whose whole body is known. */
export type Arrival = {
  readonly delivery: Delivery;
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly parsed: ParsedBody;
  /** The value of `Content-Encoding`, where the bytes are no JSON because of it; the document speaks of none. */
  readonly encoded: string | null;
  /** `null` where the body is no envelope. */
  readonly envelope: Envelope | null;
};

/** An arrival that holds one event. */
export type EventArrival = Arrival & { readonly envelope: Envelope };

/** Header values of one name, a value each line. */
export function headerValues({ headers }: Delivery, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  return headers.filter(([field]) => field.toLowerCase() === wanted).map(([, value]) => value);
}

/** A value as an envelope; `null` where it is none. */
export function envelopeOf(value: unknown): Envelope | null {
  if (!isJsonObject(value)) return null;
  const { event, timestamp, data } = value;
  return typeof event === 'string' && timestamp !== undefined && isJsonObject(data)
    ? { event, timestamp, data }
    : null;
}

/** `null` where the body did not come, or was not kept, whole. */
export function arrivalOf(delivery: Delivery): Arrival | null {
  const text = wholeText(delivery);
  if (text === null) return null;
  const parsed = parseBody(text);
  const envelope = parsed.kind === 'json' ? envelopeOf(parsed.value) : null;
  const encodings = headerValues(delivery, 'Content-Encoding').filter(
    (value) => !/^\s*identity\s*$/i.test(value),
  );
  const encoded = parsed.kind === 'json' || encodings.length === 0 ? null : encodings.join(', ');
  return {
    delivery,
    // Made where they are asked for: a trace may hold millions of bodies.
    get bytes() {
      return bytesOf(delivery.body);
    },
    text,
    parsed,
    encoded,
    envelope,
  };
}

/** The body's text, which is that of the trace wherever this gives the same bytes again; `null` where it is not whole. */
function wholeText({ body, completeMs, bodyBytes }: Delivery): string | null {
  if (completeMs === null) return null;
  if ('text' in body) return Buffer.byteLength(body.text) === bodyBytes ? body.text : null;
  const bytes = bytesOf(body);
  return bytes.length === bodyBytes ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) : null;
}
