import { greatestOf, leastOf } from '../contract/extremes.ts';
import { once } from '../contract/once.ts';
import { emptiedOnceFits } from './emptied-once.ts';
import { type Entry, type Group, isProbed } from './entries.ts';
import { secondsText } from './evidence.ts';
import { unexplainedCrowds } from './first-refused.ts';
import { lengthsOf } from './fits.ts';
import { type Lengths, type Reading, readings } from './lengths.ts';
import { prolongedBlockFits } from './prolonged-block.ts';
import { windowCounterFits } from './window-counter.ts';

/** A length of rolling window that explains everything that groups did, under a reading of rejections. */
export type OtherLength = {
  readonly reading: Reading;
  readonly lengths: Pick<Lengths, 'lowMs' | 'highMs'>;
};

/**
 * Why a group deviates although its limit is right: its window rolls, over another length; it does not roll; or a rolling
 * window of another length and a window counter of the documented one explain it alike, and nothing tells which.
 */
export type Cause =
  | { readonly kind: 'length'; readonly lengths: readonly OtherLength[] }
  | { readonly kind: 'not-rolling' }
  | { readonly kind: 'unclear' };

/**
 * A length is blamed alone only where two filled groups show the same one, or where no window counter explains a group
 * that shows it: one that counts rejections stays full for longer than its window, and is never empty sooner. Places that
 * never came back show no length by themselves: a block that each rejection prolongs looks the same. Nor do those that
 * came back after a silence, which ends such a block; or at any time; nor those that all came back at once, as after a
 * restart, unless what was taken later came back as early.
 */
export function causeOf(group: Group, peers: readonly Group[], deviation: 'too-short' | 'too-long'): Cause {
  const own = otherLengths(group);
  const filled = [group, ...peers.filter(({ limited }) => limited.length > 0)];
  const isOtherwise = deviation === 'too-long' ? prolongedBlockFits : emptiedOnceFits;
  if (filled.every(isOtherwise)) return { kind: 'not-rolling' };
  const isCounter = (one: Group): boolean => deviation === 'too-long' && windowCounterFits(one);
  const common = readings.flatMap((reading) => commonLengths(filled, reading, isCounter));
  if (common.length > 0) return { kind: 'length', lengths: common };
  const shown = own.filter((one) => isKnown(one, group));
  if (shown.length === 0 || filled.some(fitsNoLength)) return { kind: 'not-rolling' };
  if (!isCounter(group)) return { kind: 'length', lengths: shown };
  return filled.some((other) => otherLengths(other).length === 0)
    ? { kind: 'not-rolling' }
    : { kind: 'unclear' };
}

/** The lengths that explain all groups under a reading; none where only groups that a window counter fits bound them. */
function commonLengths(
  groups: readonly Group[],
  reading: Reading,
  isCounter: (group: Group) => boolean,
): readonly OtherLength[] {
  const found = groups.flatMap((group) => otherLengths(group).filter((one) => one.reading === reading));
  const lowMs = greatestOf(found.map(({ lengths }) => lengths.lowMs));
  const highMs = leastOf(found.map(({ lengths }) => lengths.highMs));
  if (found.length < groups.length || lowMs > highMs) return [];
  const bounding = groups.filter((group, at) => isKnown(found[at] as OtherLength, group));
  const isShown = bounding.length > 1 || bounding.some((group) => !isCounter(group));
  return isShown ? [{ reading, lengths: { lowMs, highMs } }] : [];
}

/** "a rolling window from 58.972 s to 59.052 s", or of other lengths if rejections count. */
export function lengthsText(lengths: readonly OtherLength[]): string {
  const [first, second] = lengths.map(
    ({ reading, lengths: { lowMs, highMs } }) =>
      `from ${secondsText(lowMs)} to ${secondsText(highMs)}${reading === 'counted' ? ' in which rejections count' : ''}`,
  );
  return `a rolling window ${second === undefined ? first : `${first}, or ${second},`}`;
}

/** Whether what a group did contradicts every length: then its service keeps no rolling window, here or elsewhere. */
function fitsNoLength(group: Group): boolean {
  return readings.every((reading) => {
    const { lowMs, highMs } = lengthsOf(group, reading, group.limited);
    return lowMs > highMs;
  });
}

/** The lengths that explain every admission and every 429, one for each reading that allows any; asked of each peer. */
const otherLengths = once((group: Group): readonly OtherLength[] =>
  readings
    .map((reading) => ({ reading, lengths: lengthsOf(group, reading, group.limited) }))
    .filter(({ lengths }) => lengths.lowMs > 0)
    .filter((one) => !hasCrowd(group, one))
    .filter(({ lengths }) => lengths.lowMs <= lengths.highMs),
);

/**
 * Whether even the longest of the lengths, each of which explains every 429 by itself, leaves some that it does not explain together, as may
 * be where rejections count.
 */
function hasCrowd({ limit, explaining, limited }: Group, { lengths }: OtherLength): boolean {
  const asked = { limit, entries: explaining, refusals: limited, windowMs: lengths.highMs };
  return unexplainedCrowds(asked).length > 0;
}

/** Whether a group tells a length from all others, and from the pace of its load. */
function isKnown(one: OtherLength, group: Group): boolean {
  return isNarrow(one, group) && (isProbed(group) || !isOfPace(one, group));
}

/**
 * A length that may as well be twice as long is none to speak of; nor is one that waves of the load suite show to more
 * than a sixtieth of the window: unlike the probes, they do not ask again once a place came back.
 */
function isNarrow({ lengths: { lowMs, highMs } }: OtherLength, group: Group): boolean {
  return highMs <= 2 * lowMs && (isProbed(group) || highMs - lowMs <= group.windowMs / 60);
}

/**
 * Of requests that come evenly, just as many as the limit lie in one length at any time: where rejections count, a clock's
 * tick more or less of it explains each answer, whatever it is.
 */
function isOfPace({ lengths: { lowMs, highMs } }: OtherLength, { entries, limit }: Group): boolean {
  const halfSpacingMs = highMs / (2 * limit);
  return entries.slice(limit).every((entry, at) => {
    const spanMs = entry.lowMs - (entries[at] as Entry).lowMs;
    return spanMs > lowMs - halfSpacingMs && spanMs < highMs + halfSpacingMs;
  });
}
