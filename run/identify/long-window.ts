import { secondLookMsMax } from '../../checks/identify/second-look.ts';
import type { Identification } from '../../contract/identification.ts';
import { seconds } from '../../contract/quantities.ts';

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
  const foundMs = (windowSeconds?.value ?? 0) * 1_000;
  // A second look was made for what the first one found.
  if (tied.length === 0 || foundMs <= secondLookMsMax) return null;
  const times = foundMs / madeForMs;
  if (Math.max(times, 1 / times) < otherwiseMin) return null;
  return (
    `the run was made for a window of ${seconds(madeForMs, 0)}: ` +
    `--window ${Math.round(foundMs / 1_000)} asks at the moments that tell these apart`
  );
}
