import { costOfAll } from '../contract/document/cost.ts';
import { areKeysCountedTogether } from '../contract/document/counted-by.ts';
import { passedPartsOf, promiseIn } from '../contract/document/document.ts';
import { countedWith } from '../contract/document/within.ts';
import type { Exchange } from '../contract/exchange.ts';
import { leastOf } from '../contract/extremes.ts';
import { headerInteger } from '../contract/rate-limit-headers.ts';
import { limitIn } from '../contract/scopes.ts';
import type { ProbedRun } from './target-parts.ts';

/** An answer that says that somebody else's requests are in the window, and the limit that it may speak of. */
export type Busy = { readonly answer: Exchange; readonly limit: number };

/**
 * The answers to first requests that say that more than these was in the window; nothing is known without the header.
 * @param sent in the order of sending.
 */
export function busyAmong(
  sent: readonly Exchange[],
  { deployment, limits }: Pick<ProbedRun, 'deployment' | 'limits'>,
): readonly Busy[] {
  const { document } = deployment;
  return sent.flatMap((answer, at) => {
    const { scope } = answer;
    const isShared = areKeysCountedTogether(document, scope);
    // Who promises an upper bound alone may leave less from the first request on.
    if (promiseIn(document, scope).kind === 'at-most') return [];
    const [, ...others] = passedPartsOf(document, scope);
    const limit = leastOf([limitIn(limits, scope), ...others.map((one) => one.limit)]);
    const together = countedWith(document, scope);
    const own = costOfAll(
      sent
        .slice(isShared || together.length > 1 ? 0 : at, at + 1)
        .filter((one) => together.includes(one.scope) && (isShared || one.key === answer.key)),
    );
    return (placesLeftIn(answer) ?? limit) >= limit - own ? [] : [{ answer, limit }];
  });
}

/** Places that an answer says are left; `null` where it does not say. */
export function placesLeftIn(answer: Exchange): number | null {
  return answer.outcome === 'limited' ? 0 : headerInteger(answer, 'remaining');
}
