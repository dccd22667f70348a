import type { ServedLimit } from '../../contract/clients/trace.ts';
import { areKeysCountedTogether } from '../../contract/document/counted-by.ts';
import {
  type Document,
  limitedStatusesOf,
  passedPartsOf,
  scopesOf,
} from '../../contract/document/document.ts';
import type { SinglePromise } from '../../contract/document/promise.ts';
import { retryAfterOf } from '../../contract/document/retry-after.ts';
import { outerOf } from '../../contract/document/within.ts';
import { type Limits, limitIn } from '../../contract/scopes.ts';
import { UsageError } from '../../contract/usage-error.ts';

type Served = { readonly windowMs: number; readonly limits: Limits };

/**
 * By scope, all limits that its requests have to pass, at the length that its window is served with, as the judge of clients needs
 * them.
 */
export function servedParts(
  document: Document,
  { windowMs, limits }: Served,
): Readonly<Record<string, ServedLimit[]>> {
  const scale = windowMs / document.windowSeconds;
  const served = scopesOf(document).map((scope) => [
    scope,
    passedPartsOf(document, scope).map(
      ({ name, of = { scope, name }, promise, limit, wholeSeconds }): ServedLimit => {
        return {
          back: backOf(promise),
          limit: of.name === null ? limitIn(limits, of.scope) : limit,
          windowMs: wholeSeconds * scale,
        };
      },
    ),
  ]);
  return Object.fromEntries(served);
}

/** By each scope that lies within another one, that other one. */
export function servedWithin(document: Document): Readonly<Record<string, string>> {
  return Object.fromEntries(
    scopesOf(document).flatMap((scope) => {
      const outer = outerOf(document, scope);
      return outer === null ? [] : [[scope, outer]];
    }),
  );
}

function backOf(promise: SinglePromise): ServedLimit['back'] {
  if (promise.kind === 'token-bucket') return 'one-by-one';
  return promise.kind === 'fixed' && promise.aligned === 'clock' ? 'clock-window' : 'window';
}

/**
 * Whether a client can be judged by what such a document has it told.
 * @throws {UsageError} with what is in the way.
 */
export function checkProvable(document: Document): void {
  const { errors, refusal, keys } = document;
  const statuses = limitedStatusesOf(document);
  const unfit = (why: string, instead: string): never => {
    throw new UsageError(`No client can be judged by the document ${document.title}: ${why}. ${instead}`);
  };
  if (statuses[0] !== 429)
    unfit(
      `it refuses with ${statuses[0]}, and retries are followed from 429s alone`,
      'Put 429 first in refusal.status of a copy.',
    );
  if (keys === 'none' || scopesOf(document).some((scope) => areKeysCountedTogether(document, scope)))
    unfit(
      'two keys are told apart here, of which one is refused at first',
      'Leave out keys and countedBy in a copy.',
    );
  const isTold =
    refusal === undefined
      ? errors === 'success-false'
      : retryAfterOf(refusal) !== null ||
        refusal.retryAfterPointer !== undefined ||
        refusal.waitUntilReset === true ||
        errors === 'success-false';
  if (!isTold)
    unfit(
      'nothing in a 429 tells how long to wait',
      'Add refusal: { status: 429, retryAfter: seconds } to a copy.',
    );
}
