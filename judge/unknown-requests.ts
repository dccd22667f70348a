import { isLimitOf } from '../contract/clauses/promised-limit.ts';
import type { RegisteredClause } from '../contract/clauses/registry.ts';
import { scopesOf } from '../contract/document/document.ts';
import type { Trace } from '../contract/trace.ts';
import { inconclusive, type Verdict } from '../contract/verdict.ts';

/**
 * A trace as it has to be judged: requests that it does not know may have counted just as those of another user of the
 * keys may, so a key has no sole user then.
 */
export function withUnknownUse(trace: Trace): Trace {
  if (trace.unknownRequests === undefined) return trace;
  const { header } = trace;
  return { ...trace, header: { ...header, deployment: { ...header.deployment, exclusiveKeys: false } } };
}

/** The true reason where a clause that counts could not be decided, perhaps for want of unknown requests. */
export function underUnknownUse({ id }: RegisteredClause, trace: Trace, verdict: Verdict): Verdict {
  const { unknownRequests } = trace;
  const isOpen = verdict.kind === 'inconclusive' && verdict.because.length === 0;
  if (unknownRequests === undefined || !isOpen) return verdict;
  const { document } = trace.header.deployment;
  const isCounting = counting.has(id) || scopesOf(document).some((scope) => isLimitOf(scope, id));
  return isCounting ? inconclusive(unknownRequests) : verdict;
}

/** Clauses beside those of limits that say, of all that was counted, whether it was too much or a refusal came too early. */
const counting: ReadonlySet<RegisteredClause['id']> = new Set([
  'window.rolling',
  'window.length',
  'window.granularity',
  'headers.remaining',
  'error.retry-after-suffices',
  'refusal.retry-after-suffices',
  'refusal.wait-suffices',
  'refusal.reset-suffices',
  'refusal.stated-wait-suffices',
]);
