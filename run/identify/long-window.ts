import type { Identification } from '../../contract/identification.ts';
import { seconds } from '../../contract/quantities.ts';

/** Windows up to this length get a second look, made for what the first one found, s. */
const secondLookSecondsMax = 30;

/** A window that is so many times as long as another one, or as short, is asked about at other moments. */
const otherwiseMin = 1.15;

/**
 * What to do where several names are left and the run was made for a longer or a shorter window than it found: little was asked at the
 * moments that tell them apart. `null` where that is not so.
 * @param madeForMs the window that the run expected.
 */
export function longWindowText(
  { tied, windowSeconds }: Pick<Identification, 'tied' | 'windowSeconds'>,
  madeForMs: number,
): string | null {
  const foundSeconds = windowSeconds?.value ?? 0;
  if (tied.length === 0 || foundSeconds <= secondLookSecondsMax) return null;
  const times = (foundSeconds * 1_000) / madeForMs;
  if (Math.max(times, 1 / times) < otherwiseMin) return null;
  return (
    `the run was made for a window of ${seconds(madeForMs, 0)}: ` +
    `--window ${Math.round(foundSeconds)} asks at the moments that tell these apart`
  );
}
