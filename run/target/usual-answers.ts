import type { z } from 'zod';
import { type errorBodySchema, rateLimitCode } from '../../contract/error-body.ts';
import { rateLimitHeaderNames } from '../../contract/rate-limit-headers.ts';
import { maskerOf } from '../../contract/secret/masker.ts';

/** What stands in answers of many services, whoever asks: names of fields, codes, types, dates and figures. */
const usual = [
  JSON.stringify({
    success: false,
    error: { code: rateLimitCode, message: 'Too many requests.', retry_after_seconds: 1 },
  } satisfies z.infer<typeof errorBodySchema>),
  '{"success":true,"data":null,"status":"ok","id":"","type":"about:blank","title":"","detail":""}',
  'application/json; charset=utf-8',
  'application/problem+json',
  'text/html',
  'Thu, 01 Jan 2026 00:00:00 GMT',
  [...Object.entries(rateLimitHeaderNames).flat(), 'RateLimit-Policy', 'Retry-After'].join(' '),
  '0 1 2 3 4 5 6 7 8 9 10 12 15 20 30 50 60 100 120 200 300 500 600 1000 3600 5000 10000 86400',
];

/**
 * Whether a key stands in answers that have nothing to do with it. Masked in them, it would make others of them: `a` leaves no
 * JSON whole.
 */
export function isInUsualAnswers(secret: string): boolean {
  const { mask } = maskerOf([{ secret, maskOf: () => '[key]' }]);
  return usual.some((text) => mask(text) !== text);
}
