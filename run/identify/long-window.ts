import type { Identification } from '../../contract/identification.ts';
import { seconds } from '../../contract/quantities.ts';

/** A window that is this many times as long as the run was made for is asked about at other moments than it takes. */
const longerMin = 1.2;

/**
 * What to do where several names are left and the window is longer than the run was made for: nothing was asked at the moments
 * that tell them apart. `null` where that is not so.
 * @param madeForMs the window that the run expected.
 */
export function longWindowText(
  { tied, windowSeconds }: Pick<Identification, 'tied' | 'windowSeconds'>,
  madeForMs: number,
): string | null {
  const foundSeconds = windowSeconds?.value ?? 0;
  if (tied.length === 0 || foundSeconds * 1_000 < longerMin * madeForMs) return null;
  return (
    `the run was made for a window of ${seconds(madeForMs, 0)}: ` +
    `--window ${Math.round(foundSeconds)} asks at the moments that tell these apart`
  );
}
