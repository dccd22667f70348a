import { z } from 'zod';
import { type Rows, readLines, splitHeader } from '../ndjson.ts';
import { type EndLine, endLineSchema } from '../trace-lines.ts';

/** Raised whenever a reader of today could misread a trace of another version. */
export const webhookTraceSchemaVersion = 1;

/** What a receiver that only watches does with a delivery. */
export const answerKinds = ['ok', 'slow', 'error', 'limited', 'gone', 'none'] as const;

export type AnswerKind = (typeof answerKinds)[number];

/** What became of a delivery: it was answered as planned, or as it was answered where it went on to. */
export const answersGiven = [...answerKinds, 'other'] as const;

/** Bytes of a body that a trace keeps at most; of a longer body it also records the length. */
export const deliveryBytesMax = 1_048_576;

/** First line of a trace of deliveries: what a judge needs besides them. Holds no secret. */
export const webhookHeaderSchema = z.object({
  kind: z.literal('webhook-trace'),
  schemaVersion: z.literal(webhookTraceSchemaVersion),
  tool: z.object({ name: z.string(), version: z.string() }),
  runId: z.string(),
  startedAt: z.iso.datetime(),
  /** Address that the receiver listened on. */
  url: z.string(),
  /** Path that webhooks were to come to; without it, it is the one that most of them came to. */
  path: z.string().optional(),
  /** Whether a signature that the secret does not give is a failure. */
  requireSignature: z.literal(true).optional(),
});

export type WebhookHeader = z.infer<typeof webhookHeaderSchema>;

/**
 * The bytes of a body: as text where they are valid UTF-8 (which gives the same bytes again), else as base64.
 * Kept raw, since a signature is over bytes.
 */
const bodySchema = z.union([z.object({ text: z.string() }), z.object({ base64: z.string() })]);

/** One request that reached the receiver, as it was. Times are ms since the Unix epoch by one monotonic clock. */
export const deliverySchema = z.object({
  kind: z.literal('delivery'),
  /** Position in order of arrival, from 0. */
  index: z.int().min(0),
  /** Number of the sender's connection, from 1. */
  connection: z.int().min(0),
  method: z.string(),
  /** Request target. */
  path: z.string(),
  /** Every header line in its order and case; values of `Authorization` and `Cookie` are withheld. */
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: bodySchema,
  /** Length of the whole body; more than is kept where it was too long. */
  bodyBytes: z.int().min(0),
  /** When the head had arrived. */
  arrivedMs: z.number(),
  /** When the last byte of the body had arrived; `null` where the sender broke off. */
  completeMs: z.number().nullable(),
  /** What the receiver did: `none` is no answer at all. */
  answer: z.enum(answersGiven),
  status: z.int().nullable(),
  /** When the answer had been handed to the connection; `null` where there was none, or the sender had gone. */
  answeredMs: z.number().nullable(),
  /** What it was answered where it went on to; absent where it did not go on. */
  forwarded: z
    .object({
      sentMs: z.number(),
      /** When the head of the answer had arrived; `null` where none did. */
      receivedMs: z.number().nullable(),
      status: z.int().nullable(),
      headers: z.array(z.tuple([z.string(), z.string()])),
      /** The beginning of the answer's body. */
      answer: z.string(),
      /** Why there was no answer; the sender got a 502 then. */
      failure: z.string().nullable(),
    })
    .optional(),
});

export type Delivery = z.infer<typeof deliverySchema>;

/** Messages from customers that were injected while the receiver listened. */
const injectedLineSchema = z.object({
  kind: z.literal('injected'),
  atMs: z.number(),
  messages: z.int().min(0),
});

/** Connections of which no request could be read. There is no line where there were none. */
export const unheardSchema = z.object({
  /** Dropped at once, because as many as may be were open. */
  dropped: z.int().min(0),
  /** Closed, because they sent no whole head in time. */
  silent: z.int().min(0),
  /** Closed, because what they sent is no HTTP, or a head that is too long. */
  unreadable: z.int().min(0),
});

export type Unheard = z.infer<typeof unheardSchema>;

const unheardLineSchema = unheardSchema.extend({ kind: z.literal('unheard') });

export const webhookLineSchema = z.discriminatedUnion('kind', [
  webhookHeaderSchema,
  deliverySchema,
  injectedLineSchema,
  unheardLineSchema,
  endLineSchema,
]);

export type WebhookTraceLine = z.infer<typeof webhookLineSchema>;

export type WebhookTrace = {
  readonly header: WebhookHeader;
  readonly deliveries: readonly Delivery[];
  /** Messages from customers that were injected; `null` where nobody did. */
  readonly injected: number | null;
  readonly unheard: Unheard;
  /** `null` where the receiver died before it could write its last line. */
  readonly end: EndLine | null;
};

/**
 * A trace from its text or its rows.
 * @throws {TraceError} naming the line and what is wrong with it.
 */
export function parseWebhookTrace(rows: Rows): WebhookTrace {
  return assembleWebhookTrace(readLines(rows, webhookLineSchema));
}

/**
 * A trace from its lines in the order of writing.
 * @throws {TraceError} where the header is missing or doubled.
 */
export function assembleWebhookTrace(lines: Iterable<WebhookTraceLine>): WebhookTrace {
  const { header, rest } = splitHeader(lines, 'webhook-trace');
  return {
    header,
    // A delivery is written when it was answered: a slow one after those that came later.
    deliveries: rest.filter((line) => line.kind === 'delivery').sort((a, b) => a.index - b.index),
    injected: injectedIn(rest),
    unheard: unheardIn(rest),
    end: rest.findLast((line) => line.kind === 'end') ?? null,
  };
}

function injectedIn(lines: readonly WebhookTraceLine[]): number | null {
  const injected = lines.filter((line) => line.kind === 'injected');
  return injected.length === 0 ? null : injected.reduce((sum, { messages }) => sum + messages, 0);
}

function unheardIn(lines: readonly WebhookTraceLine[]): Unheard {
  const { dropped, silent, unreadable } = lines.findLast((line) => line.kind === 'unheard') ?? nothingUnheard;
  return { dropped, silent, unreadable };
}

export const nothingUnheard: Unheard = { dropped: 0, silent: 0, unreadable: 0 };
