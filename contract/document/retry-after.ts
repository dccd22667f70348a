/**
 * How the header of the wait is written: whole seconds, a date, or either (RFC 9110 §10.2.3); and as others write it: seconds with or
 * without a fraction, milliseconds, or a duration as 1m30s.
 */
export const retryAfterForms = ['seconds', 'date', 'either', 'decimal', 'ms', 'duration'] as const;

export type RetryAfterForm = (typeof retryAfterForms)[number];

/** The header in which refusals say how long to wait. */
export type RetryAfterHeader = { readonly name: string; readonly form: RetryAfterForm };

/** What the header is called in HTTP (RFC 9110 §10.2.3). */
export const usualRetryAfter = 'Retry-After';

/** As a document says it: by its form alone, or with a name of its own. */
type SaidOfWait = {
  readonly retryAfter?:
    | 'none'
    | RetryAfterForm
    | { readonly name: string; readonly as: RetryAfterForm }
    | undefined;
};

/** The header that is recorded as what refusals say of the wait: the usual one where a document promises none, since it is evidence all the same. */
export function recordedRetryAfter(refusal: SaidOfWait | undefined): string {
  return retryAfterOf(refusal)?.name ?? usualRetryAfter;
}

/** The header in which the refusals of a document say how long to wait; `null` where it promises none. */
export function retryAfterOf(refusal: SaidOfWait | undefined): RetryAfterHeader | null {
  const { retryAfter = 'none' } = refusal ?? {};
  if (typeof retryAfter === 'object') return { name: retryAfter.name, form: retryAfter.as };
  return retryAfter === 'none' ? null : { name: usualRetryAfter, form: retryAfter };
}
