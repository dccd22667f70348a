import type { Exchange } from '../contract/exchange.ts';
import { purposeOfPart, type SortedHistory } from './sorted-history.ts';
import { lastEndedMs, type Target } from './steps.ts';

/** What the probe of a limit that is no rolling window has seen so far. */
export type ProbeHistory = Pick<SortedHistory, 'anchor' | 'by' | 'asked'> & {
  /** Of the key and scope, from the anchor on; of one limit of several, what was sent for it. */
  readonly since: readonly Exchange[];
};

/** What a request of a probe is for; of one limit of several, with the name of that limit. */
export function purposeOf({ part }: Target, purpose: string): string {
  return purposeOfPart(purpose, part);
}

/** What the requests of a probe brought that are for one purpose. */
export function byPurpose(target: Target, { by }: ProbeHistory, wanted: string): readonly Exchange[] {
  return by(purposeOf(target, wanted));
}

/** When the first third of the limit was answered: over a slow network, long after the first request of all. */
export function filledMs(target: Target, seen: ProbeHistory): number {
  return Math.max(seen.anchor.sentMs, lastEndedMs(byPurpose(target, seen, 'fill')));
}
