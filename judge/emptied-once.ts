import { once } from '../contract/once.ts';
import type { Stretch } from './cover.ts';
import type { Entry, Group } from './entries.ts';
import { judgedRefusals, lengthsOf, tooLong, tooShort } from './fits.ts';
import { everyBound } from './intervals.ts';
import { explainedLengths, type Reading, reachesOf, readings } from './lengths.ts';

/**
 * Whether a rolling window of the documented length and limit explains everything that a group did, if it was emptied at
 * one moment, if at all: as by a restart of a service that keeps its counts in memory. All places then come back at once, which a
 * probe sees like a shorter rolling window whose places had all left by then. What tells them apart is what was taken
 * afterwards: it stays for a whole window. Like a window counter it only says that a length is not the one explanation.
 */
export const emptiedOnceFits = once((group: Group): boolean =>
  readings.some((reading) => fitsUnder(group, reading)),
);

function fitsUnder(group: Group, reading: Reading): boolean {
  if (tooLong(group, lengthsOf(group, reading, judgedRefusals(group)))) return false;
  const { fromMs, toMs } = fullAtMost(group, reading);
  return firstOutside([...refusedFor(group, reading), ...underWay(group)], fromMs) < toMs;
}

/**
 * From which moment on, and until just before which other one, no more than the limit is left in one window, neither
 * before nor after. More on a side only ever makes its fullest window fuller, so that halving finds both ends.
 */
function fullAtMost(group: Group, reading: Reading): Stretch {
  const { limit, entries } = group;
  const fits = (side: readonly Entry[]): boolean =>
    !tooShort(group, explainedLengths({ limit, entries: side, reading, refusals: [] }));
  const { lows, highs } = everyBound(entries);
  const fromMs = lastThat([...lows.toReversed(), Number.NEGATIVE_INFINITY], (ms) =>
    fits(entries.filter(({ lowMs }) => lowMs > ms)),
  );
  const toMs = lastThat([...highs, Number.POSITIVE_INFINITY], (ms) =>
    fits(entries.filter(({ highMs }) => highMs < ms)),
  );
  return { fromMs, toMs };
}

/** The last of the values that fits, where the first does, and none that comes after one that does not. */
function lastThat(values: readonly number[], fits: (value: number) => boolean): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(values[middle] as number)) low = middle;
    else high = middle - 1;
  }
  return values[low] as number;
}

/** When it was not emptied: from the last places that a 429 needs until the 429 itself. */
function refusedFor(group: Group, reading: Reading): readonly Stretch[] {
  const { limit, limited, explaining } = group;
  return reachesOf({ limit, entries: explaining, reading, refusals: limited }).map(({ refusal, fromMs }) => ({
    fromMs,
    toMs: refusal.lowMs,
  }));
}

/** While one of these is decided it is not known on which side it is: a burst that is under way would explain anything. */
function underWay({ admitted, limited }: Group): readonly Stretch[] {
  return [...admitted, ...limited].map(({ lowMs, highMs }) => ({ fromMs: lowMs, toMs: highMs }));
}

/** The first moment from one on that lies within none of these. */
function firstOutside(spans: readonly Stretch[], fromMs: number): number {
  return [...spans]
    .sort((left, right) => left.fromMs - right.fromMs)
    .reduce((atMs, span) => (span.fromMs <= atMs ? Math.max(atMs, span.toMs) : atMs), fromMs);
}
