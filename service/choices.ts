/**
 * What the document calls "not shown" and this service had to settle. Nothing here is a promise of the document:
 * no judge may rely on it.
 *
 * - What counts: every request with a valid key, whatever its answer, in the scope of its path; an unknown path is a
 *   standard route. It is counted when its head has arrived, before its body is read.
 * - Reset: Unix seconds, rounded up, at which the oldest request leaves the window.
 * - A 429 carries `Retry-After` too, with the number of its body.
 * - Where the windows are kept in Redis and it does not answer, requests with a valid key get a 503. It carries no
 *   rate-limit headers: what the window says is not known.
 * - Answers without a valid key carry no rate-limit headers: there is no window to describe.
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
