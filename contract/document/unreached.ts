import type { LimitPart } from './further-limit.ts';

/** How many units a limit lets pass at most in any stretch of time that is so long. */
function mostIn({ promise, limit, perWindow, seconds }: LimitPart, stretchSeconds: number): number {
  const windows = stretchSeconds / seconds;
  switch (promise.kind) {
    case 'rolling':
    case 'at-most':
      return limit * Math.ceil(windows);
    // One more than fit into it: it may begin within a window.
    case 'fixed':
    case 'unsaid':
      return limit * (Math.ceil(windows) + 1);
    case 'token-bucket':
      return limit + perWindow * windows;
    case 'at-least':
      return Number.POSITIVE_INFINITY;
    default:
      return promise satisfies never;
  }
}

/**
 * Which other limit of a scope keeps one from ever being reached: 300 in 60 s beside 120 in 60 s; `null` where none
 * surely does.
 */
export function keptFrom(part: LimitPart, parts: readonly LimitPart[]): LimitPart | null {
  if (part.promise.kind === 'at-least') return null;
  return parts.find((other) => mostIn(other, part.wholeSeconds) < part.limit) ?? null;
}
