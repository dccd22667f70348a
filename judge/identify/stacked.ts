import { likelyFits } from './all-fits.ts';
import { bucketsWithin, type Cap } from './cap.ts';
import type { Hints, Wanted } from './fit.ts';
import { fitFixedWindows } from './fixed-window-fit.ts';
import { firstBurstOf } from './limits-met.ts';
import type { Observations } from './observations.ts';
import {
  type FitsUnderCap,
  firstUnder,
  leftUnder,
  limitsOnTop,
  longerGrids,
  plausibilityOf,
  underIt,
} from './under-cap.ts';

/** Windows that stand on top of a longer one, beside that of a second. */
const shorterMs = [2_000, 5_000, 10_000, 15_000, 20_000, 30_000] as const;

/** The likeliest of the longer times on top of which there may be another limit; `null` where none explains the trace. */
export function underShorterWindow(
  seen: Observations,
  hints: Hints,
  wanted: Wanted = 'nearest',
): FitsUnderCap | null {
  const [best] = shorterMs
    .map((lengthMs) => underLimit(seen, lengthMs, hints, wanted))
    .filter((one) => one !== null)
    .sort((left, right) => plausibilityOf(right, hints) - plausibilityOf(left, hints));
  return best ?? null;
}

/** What explains the trace under a limit on a shorter time; `null` where nothing does, or there can be no such limit. */
export function underLimit(
  seen: Observations,
  lengthMs: number,
  hints: Hints,
  wanted: Wanted = 'nearest',
): FitsUnderCap | null {
  const under = (cap: Cap): FitsUnderCap | null => {
    const left = leftUnder(seen, cap);
    if (left === null) return null;
    return underIt(
      cap,
      cap.kind === 'grid'
        ? longerGrids(cap, fitFixedWindows(left, hints, wanted))
        : likelyFits(left, hints, wanted),
    );
  };
  const limits = limitsOnTop(seen, lengthMs);
  const inWindow = firstUnder(
    [
      ...limits.map((limit): Cap => ({ limit, lengthMs, kind: 'window', counts: 'admitted' })),
      ...limits.map((limit): Cap => ({ limit, lengthMs, kind: 'window' })),
    ],
    under,
  );
  // Of two limits on top of each other both are of one kind.
  if (inWindow !== null && inWindow.fits[0]?.algorithm !== 'token-bucket') return inWindow;
  // What the shorter of two limits with the wall clock refuses need not fill any time that long.
  const grids = inWindow === null ? limits.map((limit): Cap => ({ limit, lengthMs, kind: 'grid' })) : [];
  for (const cap of [...grids, ...bucketsWithin(seen, firstBurstOf(seen), lengthMs)]) {
    const found = under(cap);
    if (found !== null) return found;
  }
  return inWindow;
}
