import type { ApiError, Body, DecidedRequest } from '../behaviour.ts';
import type { Patch } from './fault.ts';

export type DocumentedBody = {
  readonly success: false;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly retry_after_seconds?: number;
  };
};

/** Which errors are changed: the 429 alone, the others alone, or all of them. */
export type Which = 'over-limit' | 'others' | 'every-error';

/** Other JSON, made from the documented body. */
export function otherJson(which: Which, change: (body: DocumentedBody) => unknown): Patch {
  return otherBody(which, ({ contentType, text }) => ({
    contentType,
    text: JSON.stringify(change(JSON.parse(text) as DocumentedBody)),
  }));
}

/** Another body altogether. */
export function otherBody(which: Which, change: (body: Body, error: ApiError) => Body): Patch {
  return (behaviour) => ({
    ...behaviour,
    errorBody: (error) => {
      const body = behaviour.errorBody(error);
      const isOverLimit = error.retryAfterSeconds !== undefined;
      const isChanged = which === 'every-error' || isOverLimit === (which === 'over-limit');
      return isChanged ? change(body, error) : body;
    },
  });
}

/** Another error for a request over the limit. */
export function otherRefusal(change: (error: ApiError, counted: DecidedRequest) => ApiError): Patch {
  return (behaviour) => ({
    ...behaviour,
    overLimit: (counted) => {
      const ruling = behaviour.overLimit(counted);
      return ruling.kind === 'refuse' ? { ...ruling, error: change(ruling.error, counted) } : ruling;
    },
  });
}

/** Another error for a request without a valid key. */
export function otherRejection(change: (error: ApiError) => ApiError): Patch {
  return (behaviour) => ({
    ...behaviour,
    authenticate: (authorization, aliasOf) => {
      const authentication = behaviour.authenticate(authorization, aliasOf);
      if (authentication.kind === 'key') return authentication;
      return { kind: 'refused', error: change(authentication.error) };
    },
  });
}

/** Another number in the body; the header Retry-After stays as it is. */
export function otherSeconds(secondsOf: (counted: DecidedRequest) => number): Patch {
  return otherRefusal((error, counted) => ({ ...error, retryAfterSeconds: secondsOf(counted) }));
}
