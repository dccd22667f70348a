import { bounds, windowMsAtLeast, windowMsAtMost } from '../contract/bounds.ts';
import { countBelow, countUpTo } from './counting.ts';
import type { Entry, Group } from './entries.ts';
import { tooShort } from './fits.ts';
import { boundsDecided, boundsNotLimited, countWithin, everyBound } from './intervals.ts';
import { explainedLengths } from './lengths.ts';

/**
 * Whether a rolling window of the documented length and limit explains everything that a group did, if each rejection
 * starts the wait of a whole window again. Who keeps asking is kept out, and comes back only after a silence, which looks
 * like a longer rolling window. Like a window counter it only says that a length is not the one explanation.
 */
export function prolongedBlockFits(group: Group): boolean {
  const { admitted, limited, limit, entries } = group;
  if (limited.length === 0) return false;
  const lengths = explainedLengths({ limit, entries, reading: 'not-counted', refusals: [] });
  return (
    !tooShort(group, lengths) &&
    admitted.every((entry) => !comesWhileBlocked(group, entry)) &&
    limited.every((entry) => isBlockedOrFull(group, entry))
  );
}

/** Whether some rejection was surely decided less than a window before this admission. */
function comesWhileBlocked({ limited, windowMs }: Group, { lowMs, highMs }: Entry): boolean {
  const { lows, highs } = boundsDecided(limited);
  return countBelow(highs, lowMs) > countUpTo(lows, highMs - windowMsAtLeast(windowMs));
}

/** Whether an earlier rejection may still block it, or what came before it may have filled the window. */
function isBlockedOrFull({ limited, explaining, limit, windowMs, settledMs }: Group, entry: Entry): boolean {
  const fromMs = entry.lowMs - windowMsAtMost(windowMs + bounds.granularityMs);
  const blocking = countWithin(everyBound(limited), fromMs, entry.highMs) - 1;
  const places = countWithin(boundsNotLimited(explaining), fromMs, entry.highMs);
  return blocking > 0 || places >= limit || entry.lowMs < settledMs;
}
