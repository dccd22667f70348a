import type { ApiError, DecidedRequest } from '../behaviour.ts';
import { otherBody, otherJson, otherRefusal, otherSeconds } from './error-patches.ts';
import type { Deviation, Patch } from './fault.ts';
import { isRefused, otherHeader } from './rate-headers.ts';

/** Faults about what another document than the messaging API's says of refusals: the messaging API promises none of it. */
export const refusalFaults = [
  {
    name: 'refusal-status-429',
    summary: 'over the limit the answer is a 429, where the document says another status',
    patch: otherRefusal((error) => ({ ...error, status: 429 })),
  },
  {
    name: 'refusal-html',
    summary: 'the body of a refusal is an HTML page',
    patch: otherBody('over-limit', () => ({
      contentType: 'text/html',
      text: '<html><body>Slow down.</body></html>',
    })),
  },
  {
    name: 'refusal-body-empty',
    summary: 'the body of a refusal is an empty JSON object',
    patch: otherJson('over-limit', () => ({})),
  },
  {
    name: 'refusal-body-numbers-as-texts',
    summary: 'every number in the body of a refusal is a text',
    patch: otherJson('over-limit', numbersAsTexts),
  },
  {
    name: 'refusal-retry-after-absent',
    summary: 'a refusal carries no Retry-After',
    patch: otherRefusal((error) => ({ ...error, headers: [] })),
  },
  {
    name: 'refusal-retry-after-zero',
    summary: 'Retry-After is always 0',
    patch: otherRetryAfter(() => '0'),
  },
  {
    name: 'refusal-retry-after-one-second',
    summary: 'Retry-After is always 1, however full the window',
    patch: otherRetryAfter(() => '1'),
  },
  {
    name: 'refusal-retry-after-in-milliseconds',
    summary: 'Retry-After is in milliseconds',
    patch: otherRetryAfter(({ decision }) => String(Math.ceil(decision.retryAfterMs))),
  },
  {
    name: 'refusal-retry-after-as-moment',
    summary: 'Retry-After is the Unix time at which a place is free',
    patch: otherRetryAfter(({ decision, nowMs }) =>
      String(Math.ceil((nowMs + decision.retryAfterMs) / 1_000)),
    ),
  },
  {
    name: 'refusal-reset-too-soon',
    summary: 'the reset on a refusal is a tenth of the wait away',
    patch: otherHeader('reset', (counted) => {
      const { decision, nowMs } = counted;
      const ms = isRefused(counted) ? nowMs + decision.retryAfterMs / 10 : decision.resetMs;
      return String(Math.ceil(ms / 1_000));
    }),
  },
  {
    name: 'refusal-wait-one-second',
    summary: 'the wait in the body of a refusal is always 1, however full the window',
    patch: otherSeconds(() => 1),
  },
  {
    name: 'refusal-wait-in-milliseconds',
    summary: 'the wait in the body of a refusal is in milliseconds',
    patch: otherSeconds(({ decision }) => Math.ceil(decision.retryAfterMs)),
  },
] as const satisfies readonly Deviation[];

/** Every number in a value of JSON as a text. */
export function numbersAsTexts(value: unknown): unknown {
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(numbersAsTexts);
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, numbersAsTexts(part)]))
    : value;
}

/** An object of JSON with a member that no document names. */
export function withMember(value: unknown): unknown {
  return { ...(value as object), traceId: '4bf92f3577b34da6' };
}

/** What a document allows whose bodies of refusals are objects that may have other members; where a schema shuts them out, a fault. */
export const bodyVariants = [
  {
    name: 'refusal-body-more',
    summary: 'the body of a refusal has a member that the document does not name',
    patch: otherJson('over-limit', withMember),
  },
] as const satisfies readonly Deviation[];

/** What a document allows that promises Retry-After in either form, and says no more. */
export const refusalVariants = [
  {
    name: 'refusal-retry-after-as-date',
    summary: 'Retry-After is a date',
    patch: otherRetryAfter(({ decision, nowMs }) =>
      new Date(Math.ceil((nowMs + decision.retryAfterMs) / 1_000) * 1_000).toUTCString(),
    ),
  },
  {
    name: 'refusal-retry-after-whole-window',
    summary: 'Retry-After is always a whole window, and a second',
    patch: otherRetryAfter(({ rate }) => String(Math.ceil(rate.windowMs / 1_000) + 1)),
  },
] as const satisfies readonly Deviation[];

/** Another text in the header of a refusal; its body stays as it is. */
function otherRetryAfter(textOf: (counted: DecidedRequest) => string): Patch {
  return otherRefusal(
    (error: ApiError, counted): ApiError => ({ ...error, headers: [['Retry-After', textOf(counted)]] }),
  );
}
