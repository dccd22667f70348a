import { bounds } from '../../contract/bounds.ts';
import { headerInteger } from '../../contract/rate-limit-headers.ts';
import type { Entry, Group } from '../entries.ts';

/** What an answer says is left. */
export type ToldRemaining = { readonly entry: Entry; readonly value: number };

/** The answers that say it, with what they say. */
export function told(entries: readonly Entry[]): readonly ToldRemaining[] {
  return entries.flatMap((entry) => {
    const value = headerInteger(entry.exchange, 'remaining');
    return value === null ? [] : [{ entry, value }];
  });
}

/** How much a bucket gets back in so long, ms. */
export function comesBack({ limit, windowMs }: Pick<Group, 'limit' | 'windowMs'>, ms: number): number {
  return ((ms * (1 + bounds.clockRate) + bounds.clockResolutionMs) * limit) / windowMs;
}
