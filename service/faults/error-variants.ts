import { wholeSecondsLog } from '../../limiters/sub-window-log.ts';
import type { ApiError, HeaderField } from '../behaviour.ts';
import { otherBody, otherJson, otherRefusal, otherRejection, otherSeconds } from './error-patches.ts';
import type { Patch, Variant } from './fault.ts';
import { otherLimiter } from './other-window.ts';

/** What errors can look like while the document is kept. */
export const errorVariants: readonly Variant[] = [
  {
    name: 'retry-after-one-more',
    summary: 'retry_after_seconds is rounded up, plus one second to be safe',
    should: [],
    patch: otherSeconds(({ decision }) => Math.ceil(decision.retryAfterMs / 1_000) + 1),
  },
  {
    name: 'whole-seconds-and-one-more',
    summary: 'a place is held up to a second longer, and retry_after_seconds is rounded up, plus one second',
    should: ['window.granularity'],
    reasons: ['whole-seconds'],
    patch: (behaviour) =>
      otherSeconds(({ decision }) => Math.ceil(decision.retryAfterMs / 1_000) + 1)(
        otherLimiter((rate) => wholeSecondsLog(rate))(behaviour),
      ),
  },
  {
    name: 'retry-after-spread',
    summary:
      'retry_after_seconds has up to half a minute added, so that clients do not all come back at once',
    should: ['error.retry-after-length'],
    reasons: ['longer-than-needed'],
    patch: otherSeconds(
      ({ decision, nowMs }) => Math.ceil(decision.retryAfterMs / 1_000) + (Math.floor(nowMs) % 31),
    ),
  },
  {
    name: 'retry-after-whole-window',
    summary: 'retry_after_seconds is always the whole window, rounded up',
    should: [],
    patch: otherSeconds(({ rate }) => Math.ceil(rate.windowMs / 1_000)),
  },
  {
    name: 'retry-after-header-disagrees',
    summary: 'the header Retry-After is half a minute more than the body says',
    should: [],
    patch: otherRetryAfterHeader(({ retryAfterSeconds = 0 }) => String(retryAfterSeconds + 30)),
  },
  {
    name: 'retry-after-header-as-date',
    summary: 'the header Retry-After is a date (RFC 9110 §10.2.3)',
    should: [],
    patch: otherRetryAfterHeader(() => 'Fri, 31 Dec 2100 23:59:59 GMT'),
  },
  {
    name: 'retry-after-header-absent',
    summary: 'a 429 has no header Retry-After',
    should: [],
    patch: otherRetryAfterHeader(() => null),
  },
  {
    name: 'more-fields',
    summary: 'errors have more fields than the documented ones',
    should: [],
    patch: otherJson('every-error', ({ success, error }) => ({
      status: 'error',
      success,
      error: { ...error, docs: 'https://docs.example.test/limits', details: [] },
      request_id: 'req_1',
    })),
  },
  {
    name: 'body-printed-wide',
    summary: 'the JSON of errors is indented, and ends with a line break',
    should: [],
    patch: otherBody('every-error', ({ contentType, text }) => ({
      contentType,
      text: `${JSON.stringify(JSON.parse(text), null, 4)}\r\n`,
    })),
  },
  {
    name: 'message-in-another-language',
    summary: 'messages are not in English',
    should: [],
    patch: otherJson('every-error', ({ success, error }) => ({
      success,
      error: { ...error, message: '请求过于频繁，请稍后再试。' },
    })),
  },
  {
    name: 'problem-json',
    summary: 'errors are labelled application/problem+json (RFC 9457)',
    should: [],
    patch: otherBody('every-error', ({ text }) => ({ contentType: 'application/problem+json', text })),
  },
  {
    name: 'forbidden-without-key',
    summary: 'a request without a valid key gets a 403 instead of a 401',
    should: [],
    patch: otherRejection((error) => ({ ...error, status: 403, code: 'forbidden' })),
  },
];

/** Another value of the header Retry-After; `null` leaves the header out. */
function otherRetryAfterHeader(fieldOf: (error: ApiError) => string | null): Patch {
  return otherRefusal((error) => {
    const value = fieldOf(error);
    const others = (error.headers ?? []).filter(([name]) => name !== 'Retry-After');
    const headers: readonly HeaderField[] = value === null ? others : [...others, ['Retry-After', value]];
    return { ...error, headers };
  });
}
