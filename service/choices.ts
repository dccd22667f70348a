/**
 * What the document calls "not shown" and this service had to settle. Nothing here is a promise of the document: no
 * judge may rely on it.
 *
 * - What counts: every request with a valid key, whatever its answer, in the scope of its path; an unknown path is a
 *   standard route. It is counted when its head has arrived, before its body is read.
 * - Reset: Unix seconds, rounded up, at which the oldest request leaves the window.
 * - A 429 carries `Retry-After` too, with the number of its body.
 * - With the windows in Redis, the clock of Redis decides, also for Reset. While Redis does not answer, a request with
 *   a valid key gets a 503 without rate-limit headers, because their values are not known.
 * - An answer to a request without a valid key carries no rate-limit headers: there is no window to describe.
 * - All keys belong to one business account and see the same messages.
 * - Success bodies: `{ success: true, data }`, with the field names of the webhook events.
 */

/** `error.code` by what went wrong; 429 has the documented one. */
export const errorCodes = {
  keyMissing: 'missing_api_key',
  keyMalformed: 'malformed_authorization',
  keyUnknown: 'invalid_api_key',
  json: 'invalid_json',
  fields: 'invalid_request',
  request: 'bad_request',
  notFound: 'not_found',
  method: 'method_not_allowed',
  timeout: 'request_timeout',
  tooLarge: 'payload_too_large',
  uriTooLong: 'uri_too_long',
  mediaType: 'unsupported_media_type',
  headersTooLarge: 'headers_too_large',
  internal: 'internal_error',
  unavailable: 'service_unavailable',
} as const;

export const jsonType = 'application/json; charset=utf-8';

/** The business number that this service sends from. */
export const businessNumber = '15550001000';

/** A customer's number, where no real one is needed. */
export const sampleCustomerNumber = '15550002000';

/** A message that always exists, so that a path below `/v1/messages` can be answered 2xx without side effects. */
export const referenceMessageId = 'msg_reference';

export const messageBodyCharactersMax = 4_096;

/** Bytes of a JSON request body. */
export const jsonBytesMax = 65_536;

/** Bytes of one uploaded file. */
export const mediaBytesMax = 16 * 1_048_576;

/** Bytes of a whole upload: its file, and form fields and part headers around it. */
export const uploadBytesMax = mediaBytesMax + 1_048_576;

/** Messages kept; beyond that the oldest is forgotten. */
export const messagesMax = 10_000;

export const messagesListedMax = 100;

export const messagesListedDefault = 20;

/**
 * Webhooks. The document leaves these open, and this service settles them:
 * - An accepted message is sent at once, and delivered and read shortly afterwards. A message to a number that begins
 *   with 0 fails instead: no international number begins so.
 * - An event is signed with HMAC-SHA256 over the exact bytes of its body, as lower-case hex.
 * - It carries an id in `X-Service-Event-Id`. Every attempt has the same id and the same bytes.
 * - Any 2xx accepts it. After a 5xx, a 429 or no answer it is tried again: after exponential backoff with jitter, and
 *   not before a `Retry-After` has passed (the longest pause bounds both). Any other answer is final.
 * - An event is sent when it happens, so a later event can overtake a retry. Delivery is at least once.
 */
export const deliveredAfterMs = 50;
export const readAfterMs = 150;

export const eventIdHeader = 'X-Service-Event-Id';

/** Attempts at one event; then it is given up. */
export const attemptsMax = 8;

/** Pause after the first attempt that failed; it doubles with each further one. */
export const retryBaseMs = 500;
export const retryPauseMsMax = 30_000;

/** How long one attempt may take, from connecting to the end of the answer. */
export const attemptMsMax = 5_000;

/** Events waiting or under way. Further ones are refused and counted, so that a dead subscriber costs bounded memory. */
export const eventsQueuedMax = 50_000;

/** Events given up that are kept, to be sent again when somebody asks for it; the oldest are lost where there are more. */
export const eventsGivenUpKeptMax = 50_000;

/** Attempts under way at the same time, a connection each. */
export const attemptsAtOnceMax = 32;

/** Attempts begun in one turn of the event loop, before requests to the API are served again. */
export const attemptsPerTurnMax = 4;

/** Bytes of a subscriber's answer that are read; what it says does not matter. */
export const answerBytesMax = 65_536;

/** Events given up that the control endpoint lists. */
export const giveUpsKeptMax = 100;

/** Messages that one request to the control endpoint may inject. */
export const injectedMax = 1_000;

/** Bytes of one file of the journal; then another is begun. */
export const journalSegmentBytesMax = 16 * 1_048_576;
