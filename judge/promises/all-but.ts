import type { Entry } from '../entries.ts';

/** Entries without some of them, in their order. */
export function allBut(entries: readonly Entry[], out: readonly Entry[]): readonly Entry[] {
  const some = new Set(out);
  return entries.filter((entry) => !some.has(entry));
}
