import { rateLimitCode } from '../contract/error-body.ts';
import { howMany } from '../contract/quantities.ts';
import type { Rate } from '../limiters/limiter.ts';
import type { ApiError, Body, DecidedRequest } from './behaviour.ts';
import { jsonType } from './choices.ts';
import { windowSeconds } from './window-seconds.ts';

/** The body of an error, as section "Error Handling" shows it. */
export function errorBody(error: ApiError): Body {
  return { contentType: jsonType, text: errorText(error) };
}

let toldError: ApiError | null = null;
let toldText = '';

/** A refusal often says what the one before it said: then it is the same text. */
function errorText(error: ApiError): string {
  const { code, message, retryAfterSeconds } = error;
  const isSame =
    toldError?.message === message &&
    toldError.code === code &&
    toldError.retryAfterSeconds === retryAfterSeconds;
  if (isSame) return toldText;
  toldError = error;
  toldText = JSON.stringify({
    success: false,
    error: { code, message, retry_after_seconds: retryAfterSeconds },
  });
  return toldText;
}

/** The refusal of a request over the limit. Those of a scope that are alike are one object. */
export function rateLimitError({ scope, rate, decision }: DecidedRequest): ApiError {
  // Rounded up, so that a client that waits exactly this long does not come too early. 0 would be no wait at all.
  const retryAfterSeconds = Math.max(1, Math.ceil(decision.retryAfterMs / 1_000));
  const refusals = refusalsOf(rate);
  const known = refusals.get(retryAfterSeconds);
  if (known?.scope === scope) return known.error;
  if (refusals.size >= refusalsMax) refusals.clear();
  const error = newRateLimitError(scope, rate, retryAfterSeconds);
  refusals.set(retryAfterSeconds, { scope, error });
  return error;
}

type Refusal = { readonly scope: string; readonly error: ApiError };

/** Refusals of each rate by their seconds. A rate is that of one scope, but for faults that share one. */
const known = new WeakMap<Rate, Map<number, Refusal>>();

/** Of one rate; a window of a minute has 60. */
const refusalsMax = 256;

function refusalsOf(rate: Rate): Map<number, Refusal> {
  const found = known.get(rate);
  if (found !== undefined) return found;
  const none = new Map<number, Refusal>();
  known.set(rate, none);
  return none;
}

function newRateLimitError(scope: string, rate: Rate, retryAfterSeconds: number): ApiError {
  const window = `${howMany(rate.limit, 'request')} in ${windowSeconds(rate)} s`;
  return {
    status: 429,
    code: rateLimitCode,
    message: `Rate limit exceeded: ${window} (${scope}). Retry in ${retryAfterSeconds} s.`,
    retryAfterSeconds,
    headers: [['Retry-After', String(retryAfterSeconds)]],
  };
}
