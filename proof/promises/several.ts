import type { PromiseSetting } from '../../contract/document/promise.ts';
import type { Rate } from '../../limiters/limiter.ts';
import { openSeveral } from '../../limiters/several.ts';
import type { LimiterOpener } from './keepers.ts';

/** One limit of a scope that has two. */
export type OneOfTwo = {
  readonly promise: PromiseSetting;
  readonly limit: number;
  readonly windowSeconds: number;
};

/** What stands behind one of the two; `null`: nothing, as if the limit had been forgotten. */
export type Behind = LimiterOpener | null;

/** Which of the two is asked first: it alone counts what it refuses, and the other what that one lets pass. */
export type ChainOrder = 'first before also' | 'also before first';

/** Both limits in a chain, each by its own limiter, at the rates of the document. */
export function openTwo(
  [first, also]: readonly [OneOfTwo, OneOfTwo],
  [behindFirst, behindAlso]: readonly [Behind, Behind],
  asked: ChainOrder,
): LimiterOpener {
  return () => {
    const opened = [behindFirst?.(rateOf(first)) ?? null, behindAlso?.(rateOf(also)) ?? null].filter(
      (window) => window !== null,
    );
    return openSeveral(asked === 'first before also' ? opened : opened.toReversed());
  };
}

/** The rate of a limit; a bucket here holds its limit. */
function rateOf({ limit, windowSeconds }: OneOfTwo): Rate {
  return { limit, windowMs: windowSeconds * 1_000 };
}
