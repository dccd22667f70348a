import { z } from 'zod';
import { bodyStates, outcomes } from './outcome.ts';

/** The credential of the request. Only a request with `valid` belongs to a key's window. */
export const credentials = ['valid', 'absent', 'malformed', 'unknown'] as const;

/**
 * Which of a deployment's requests was sent: `main` stands for the scope, `subpath` lies below it,
 * `other-method` has another method, `other` is a request whose error answer is wanted, `beside` is another one of the scope
 * that the document names.
 */
const routes = ['main', 'subpath', 'other-method', 'other', 'beside'] as const;

/** The most that a request may cost, in units of its limit: a judge keeps each of them as a place. */
export const costMax = 10_000;

/** A raw header value; several fields of one name are joined by ", " (RFC 9110 §5.3); `null` where absent. */
const rawHeader = z.string().nullable();

export const exchangeSchema = z.object({
  kind: z.literal('exchange'),
  /** Counted by its driver from 0, so that two of one trace may have the same; the request's id tells them apart. */
  index: z.int().min(0),
  driver: z.enum(['undici', 'k6', 'simulation']),
  /** The load scenario that it belongs to; absent where it belongs to none. */
  scenario: z.string().optional(),
  /** Id of the clock that `sentMs` and `receivedMs` were read from; see the trace's header. */
  clock: z.string(),
  scope: z.string(),
  route: z.enum(routes),
  /** Alias of the API key ("A", "B"), never the key; `null` where no valid key was sent. */
  key: z.string().nullable(),
  credential: z.enum(credentials),
  /** Position of the base URL in the deployment's settings. */
  node: z.int().min(0),
  /** The purpose that the schedule gave this request, e.g. "saturate". */
  purpose: z.string(),
  /** Sent as `X-Request-Id`, so that the evidence can be compared with the service's own logs. */
  requestId: z.string(),
  method: z.string(),
  path: z.string(),
  /** How many units of its limit it takes, by the document; absent where that is 1. */
  cost: z.int().min(2).max(costMax).optional(),
  /**
   * There where the client certainly sent it once. Go's transport, and so k6, sends a request that may be repeated again
   * by itself where a connection that was kept alive breaks: such a request without this mark may have counted twice.
   */
  sentOnce: z.literal(true).optional(),
  /** When the request was handed to the connection, ms since the Unix epoch by the clock named above. */
  sentMs: z.number(),
  /** When the head of the answer had arrived; `null` where none did. */
  receivedMs: z.number().nullable(),
  /**
   * From the first byte sent to the last byte received, ms, where the client measures this more precisely than its
   * clock.
   */
  latencyMs: z.number().nullable().optional(),
  /** The wall clock at the same two moments, where `clock` is monotonic. */
  wallSentMs: z.number().nullable(),
  wallReceivedMs: z.number().nullable(),
  status: z.int().nullable(),
  headers: z.object({ limit: rawHeader, remaining: rawHeader, reset: rawHeader }),
  retryAfter: rawHeader,
  date: rawHeader,
  contentType: rawHeader,
  /** Raw `Server` header: it may name another layer than the API. Absent where it was not kept. */
  server: rawHeader.optional(),
  /** Body of an answer other than 2xx, at most `bodyCharactersMax` characters (outcome.ts). */
  body: z.string().nullable(),
  /** How much of the body that is; absent where the trace keeps none, and in traces of before it was marked. */
  bodyState: z.enum(bodyStates).optional(),
  /** Why there was no answer, e.g. "time-out after 10 s". */
  failure: z.string().nullable(),
  outcome: z.enum(outcomes),
});

export type Exchange = z.infer<typeof exchangeSchema>;
export type Route = Exchange['route'];
export type Credential = Exchange['credential'];
