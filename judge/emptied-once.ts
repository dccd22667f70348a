import type { Entry, Group } from './entries.ts';
import { judgedRefusals, lengthsOf, tooLong, tooShort } from './fits.ts';
import { explainedLengths, type Reading, readings } from './lengths.ts';
import { once } from './once.ts';

/**
 * Whether a rolling window of the documented length and limit explains everything that a group did, if it was emptied at
 * one moment, if at all: as by a restart of a service that keeps its counts in memory. All places then come back at once, which a
 * probe sees like a shorter rolling window whose places had all left by then. What tells them apart is what was taken
 * afterwards: it stays for a whole window. Like a window counter it only says that a length is not the one explanation.
 */
export const emptiedOnceFits = once((group: Group): boolean => {
  const cuts = cutsOf(group.entries);
  return readings.some(
    (reading) => fitsUnmoved(group, reading) || cuts.some((at) => fitsAround(group, at, reading)),
  );
});

/** Where it may have been emptied: at the first place that came back after a 429. Nothing was under way then. */
function cutsOf(entries: readonly Entry[]): readonly number[] {
  let answeredMs = Number.NEGATIVE_INFINITY;
  return entries.flatMap(({ exchange, lowMs, highMs }, at): number[] => {
    const isClean = answeredMs < lowMs;
    answeredMs = Math.max(answeredMs, highMs);
    const isBack = exchange.outcome === 'admitted' && entries[at - 1]?.exchange.outcome === 'limited';
    return isClean && isBack ? [at] : [];
  });
}

/** Nothing came back too early or too late here: it may have been emptied when nobody looked. */
function fitsUnmoved(group: Group, reading: Reading): boolean {
  const lengths = lengthsOf(group, reading, judgedRefusals(group));
  return !tooShort(group, lengths) && !tooLong(group, lengths);
}

/** Until then the window was full at most, and then it was empty: nothing from before explains a 429. */
function fitsAround(group: Group, at: number, reading: Reading): boolean {
  const { from, to } = fullAtMost[reading](group);
  if (at < from || at > to) return false;
  const later = group.entries.slice(at);
  const refusals = later.filter(({ exchange }) => exchange.outcome === 'limited');
  return !tooLong(group, explainedLengths({ limit: group.limit, entries: later, reading, refusals }));
}

type Positions = { readonly from: number; readonly to: number };

/** Which cuts leave too much on neither side, by reading. */
const fullAtMost: Readonly<Record<Reading, (group: Group) => Positions>> = {
  'not-counted': once((group) => positionsOf(group, 'not-counted')),
  counted: once((group) => positionsOf(group, 'counted')),
};

/**
 * Between which positions a cut leaves no more than the limit in one window, before and after it. More on a side only ever
 * makes its fullest window fuller, so that halving finds both ends: a trace may have thousands of cuts.
 */
function positionsOf(group: Group, reading: Reading): Positions {
  const { limit, entries } = group;
  const isFullAtMost = (side: readonly Entry[]): boolean =>
    !tooShort(group, explainedLengths({ limit, entries: side, reading, refusals: [] }));
  return {
    from: entries.length - longest(entries.length, (count) => isFullAtMost(entries.slice(-count))),
    to: longest(entries.length, (count) => isFullAtMost(entries.slice(0, count))),
  };
}

/** The greatest count up to a bound that fits, where all below it fit and none above. */
function longest(countMax: number, fits: (count: number) => boolean): number {
  let low = 0;
  let high = countMax;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
