import { bounds, windowMsAtLeast } from '../../contract/bounds.ts';
import { headerInteger } from '../../contract/rate-limit-headers.ts';
import type { Analysis } from '../analysis.ts';
import type { Entry } from '../entries.ts';
import type { Misfit } from '../misfit.ts';

/** Admissions whose `Remaining` no limit of this kind explains: a request that was counted leaves less than the limit. */
export function misfitsOfPromise({ group, promise }: Analysis): readonly Misfit[] {
  // Of several limits, the figure may be any one's.
  const [, ...others] = promise.kind === 'several' ? promise.parts : [];
  const kinds = promise.kind === 'several' ? promise.parts.map((part) => part.promise.kind) : [promise.kind];
  // Who guarantees a limit alone may leave more.
  if (kinds.includes('at-least')) return [];
  const further = others.map(({ limit }) => limit);
  const allowed = { lowest: 0, highest: Math.max(group.limit, ...further) - 1 };
  return told(group.admitted)
    .filter(({ value }) => value > allowed.highest)
    .map((one) => ({ ...one, allowed }));
}

/**
 * 429s whose `Remaining` is more than what may have come back between the decision and the writing of the answer: of a
 * bucket a token or two; of a window that begins anew all of it, but not twice within one window.
 */
export function freeOnPromisedRefusals({ group, promise }: Analysis): readonly Misfit[] {
  const { limit, windowMs, limited } = group;
  const free = told(limited).filter(({ value }) => value > 0);
  const allowed = { lowest: 0, highest: 0 };
  switch (promise.kind) {
    case 'token-bucket':
      return free.flatMap(({ entry, value }) => {
        const backMs = (entry.highMs - entry.lowMs) * (1 + bounds.clockRate) + bounds.clockResolutionMs;
        const highest = 1 + Math.floor((backMs * limit) / windowMs);
        return value > highest ? [{ entry, value, allowed: { lowest: 0, highest } }] : [];
      });
    case 'fixed':
    case 'unsaid':
      return free
        .filter(({ entry }, at) => {
          const before = free[at - 1]?.entry;
          const isAnother = before !== undefined && before.highMs < entry.lowMs;
          return isAnother && entry.highMs - before.lowMs < windowMsAtLeast(windowMs);
        })
        .map((one) => ({ ...one, allowed }));
    default:
      return [];
  }
}

function told(entries: readonly Entry[]): readonly { readonly entry: Entry; readonly value: number }[] {
  return entries.flatMap((entry) => {
    const value = headerInteger(entry.exchange, 'remaining');
    return value === null ? [] : [{ entry, value }];
  });
}
