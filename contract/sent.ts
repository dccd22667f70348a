import { z } from 'zod';
import { type Exchange, exchangeSchema } from './exchange.ts';

const { driver, clock, scope, route, key, credential, purpose, method, path, cost, sentMs, wallSentMs } =
  exchangeSchema.shape;
const { index, requestId, node } = exchangeSchema.shape;

/**
 * Like requests that are about to leave together. It is written before the first of them does: one that has no exchange
 * in its trace was in flight when the run died, and may have been counted.
 */
export const sentLineSchema = z.object({
  kind: z.literal('sent'),
  driver,
  clock,
  scope,
  route,
  key,
  credential,
  purpose,
  method,
  path,
  cost,
  /** No request of these left earlier. */
  sentMs,
  wallSentMs,
  requests: z.array(z.object({ index, requestId, node })),
});

export type SentLine = z.infer<typeof sentLineSchema>;
type Request = SentLine['requests'][number];

/** A scenario of the load suite whose requests are about to leave. k6 writes no line for those in flight. */
export const begunLineSchema = z.object({
  kind: z.literal('begun'),
  scenario: z.string(),
  atMs: z.number(),
});

export type BegunLine = z.infer<typeof begunLineSchema>;

/** Why a request has no answer: the run died first. */
const diedUnanswered = 'the run died before the answer';

/** A request that a line announced, with the number of that line in its trace. */
export type AnnouncedRequest = {
  readonly line: SentLine;
  readonly request: Request;
  readonly number: number;
};

/** A request that has no exchange of its own, as an exchange without an answer. */
export function withoutAnswerOf({ line, request }: AnnouncedRequest): Exchange {
  const { requests: _, ...common } = line;
  return { ...common, ...request, ...withoutAnswer };
}

/** Whether an exchange stands for a request that was in flight when its run died. */
export function wasInFlight({ failure }: Exchange): boolean {
  return failure === diedUnanswered;
}

const withoutAnswer = {
  kind: 'exchange',
  receivedMs: null,
  wallReceivedMs: null,
  status: null,
  headers: { limit: null, remaining: null, reset: null },
  retryAfter: null,
  date: null,
  contentType: null,
  body: null,
  failure: diedUnanswered,
  outcome: 'indeterminate',
} as const;
