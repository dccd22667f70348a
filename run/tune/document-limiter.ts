import { keptLimits } from '../../backoff/pacer/kept-limits.ts';
import type { FoundLimiter } from '../../backoff/tuning/client.ts';
import { usualCostOf } from '../../contract/document/cost.ts';
import { type Document, passedPartsOf, scopesOf } from '../../contract/document/document.ts';
import { promisedHeaders } from '../../contract/document/headers.ts';
import { retryAfterOf } from '../../contract/document/retry-after.ts';
import { headersIn } from '../../contract/document/scope-headers.ts';
import { didYouMean } from '../../contract/nearest.ts';
import type { Scope } from '../../contract/scopes.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { limiterOfParts } from '../../limiters/promised.ts';

/**
 * The limits of a scope as a limiter that keeps them, for jobs that are the scope's usual requests, and what its answers say.
 * @throws {UsageError} where the document has no such scope.
 */
export function documentLimiter(document: Document, scope: Scope): FoundLimiter {
  const parts = passedPartsOf(document, knownScope(document, scope));
  const cost = usualCostOf(document.scopes[scope] ?? {});
  const { errors, refusal } = document;
  const { names } = promisedHeaders(headersIn(document, scope));
  return {
    limiter: limiterOfParts(parts, { cost }),
    from: `by the document ${document.title}`,
    kept: keptLimits(parts, { costMax: cost }).map((one) => ({
      ...one,
      limit: Math.max(1, Math.floor(one.limit / cost)),
      // Headers count units, a client that is simulated its jobs.
      isBlind: one.isBlind || cost > 1,
    })),
    sendsRetryAfter: errors === 'success-false' || retryAfterOf(refusal) !== null,
    lacks: {
      bodyWait: errors === 'none' && refusal?.retryAfterPointer === undefined,
      headers: names.remaining === null || names.reset === null || cost > 1,
    },
  };
}

/** @throws {UsageError} where there is none of that name. */
function knownScope(document: Document, scope: Scope): Scope {
  const scopes = scopesOf(document);
  if (scopes.includes(scope)) return scope;
  throw new UsageError(
    `--scope ${scope}: there is no such scope${didYouMean(scope, scopes)} Scopes: ${scopes.join(', ')}.`,
  );
}
