import { z } from 'zod';

/** Section "Events": the five kinds, exactly as the document writes them. */
export const eventKinds = [
  'message.received',
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
] as const;

export type EventKind = (typeof eventKinds)[number];

/** `msg_<identifier>`. */
export const messageIdSchema = z
  .string()
  .regex(/^msg_\S+$/, 'must have the form msg_<identifier>')
  .max(200);

/** A number in international form: digits only, no plus sign. */
export const numberSchema = z.string().regex(/^[0-9]+$/, 'must be digits only, without a plus sign');

/** Section "Resources and their fields": what every event consists of. Fields beyond these are allowed. */
export const envelopeSchema = z.looseObject({
  event: z.string(),
  /** Epoch time; the document does not state the unit, its samples are seconds. */
  timestamp: z.int(),
  data: z.looseObject({}),
});

/** Data of `message.received`, as the service sends it. */
export const receivedDataSchema = z
  .looseObject({
    message_id: messageIdSchema,
    waba_number: numberSchema,
    /** The customer. */
    sender: numberSchema,
    /** The business: the same as `waba_number`. */
    recipient: numberSchema,
    type: z.string(),
    body: z.string().optional(),
  })
  .refine(({ type, body }) => type !== 'text' || body !== undefined, {
    path: ['body'],
    error: 'must be present when type is "text"',
  })
  // The same for what is made of this for other tools: a function cannot be written as JSON Schema.
  .meta({ anyOf: [{ properties: { type: { not: { const: 'text' } } } }, { required: ['body'] }] });

/** A locally simulated `message.received` may have only these fields; a receiver tolerates that. */
export const simulatedReceivedDataSchema = z.looseObject({
  message_id: messageIdSchema,
  sender: numberSchema,
  type: z.string(),
  body: z.string(),
});

/** Data of `message.read`: a receipt for a message of the business, so the business is the sender. */
export const readDataSchema = z.looseObject({
  message_id: messageIdSchema,
  waba_number: numberSchema,
  sender: numberSchema,
  recipient: numberSchema,
  status: z.literal('read'),
});

/** The document does not show the data of sent, delivered and failed. */
const notShown = z.looseObject({});

/** A whole event: envelope and data. */
export const eventSchema = z.discriminatedUnion('event', [
  envelopeSchema.extend({ event: z.literal('message.received'), data: receivedDataSchema }),
  envelopeSchema.extend({ event: z.literal('message.sent'), data: notShown }),
  envelopeSchema.extend({ event: z.literal('message.delivered'), data: notShown }),
  envelopeSchema.extend({ event: z.literal('message.read'), data: readDataSchema }),
  envelopeSchema.extend({ event: z.literal('message.failed'), data: notShown }),
]);

export type WebhookEvent = z.infer<typeof eventSchema>;
