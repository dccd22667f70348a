import { windowMsAtLeast } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import { endedMs, type History, type Target } from './steps.ts';

/** Several parts of one step ask for it. */
const returnedIn = new WeakMap<History, readonly Exchange[]>();

const asksForReturn = ['confirm', 'quiet', 'ladder', 'retry-1', 'retry-2', 'retry-3', 'retry-4'] as const;

/** Admissions after the window had been full. */
export function returned(seen: History): readonly Exchange[] {
  const known = returnedIn.get(seen);
  if (known !== undefined) return known;
  const found: Exchange[] = [];
  for (const purpose of asksForReturn)
    for (const exchange of seen.by(purpose)) if (exchange.outcome === 'admitted') found.push(exchange);
  found.sort((left, right) => left.sentMs - right.sentMs);
  returnedIn.set(seen, found);
  return found;
}

/** Whether a place came back too early, even by the fastest clock within the stated bounds. */
export function isEarly(target: Target, { anchor }: History, first: Exchange): boolean {
  return endedMs(first) < anchor.sentMs + windowMsAtLeast(target.windowMs);
}
