import type { Algorithm, Candidate, Identification } from '../../contract/identification.ts';
import { families, type Truth } from './truth.ts';

/** What an identification is worth, held against what the limiter is. */
export type Grade = {
  /** `tie`: the truth is one of several that explain the answers equally well. */
  readonly name: 'alone' | 'tie' | 'wrong' | 'not named';
  /** Whether limit and window of the truth are among those found; `null` where there is nothing to compare. */
  readonly isLimitRight: boolean | null;
  readonly isWindowRight: boolean | null;
  /** Whether a shorter window on top was found; `null` where there is none. */
  readonly isShorterRight: boolean | null;
};

/** Grades an identification; `null` is one that could not say anything. Limit and window are looked for in the explanations that bear the true name. */
export function gradeOf(identification: Identification | null, truth: Truth): Grade {
  if (identification === null || identification.algorithm === 'unidentified') {
    return { name: 'not named', ...nothing };
  }
  const named = [identification.algorithm].flat();
  const accepted: readonly Algorithm[] = families[truth.family];
  const right = explanationsOf(identification).filter(({ algorithm }) => accepted.includes(algorithm));
  if (right.length === 0) return { name: 'wrong', ...nothing };
  const { windowSeconds, shorter } = truth;
  return {
    name: named.every((algorithm) => accepted.includes(algorithm)) ? 'alone' : 'tie',
    isLimitRight: right.some(({ limit }) => limit === truth.limit),
    isWindowRight: windowSeconds === null ? null : right.some((one) => holds(one, windowSeconds)),
    isShorterRight: shorter === undefined ? null : isShorter(identification, shorter),
  };
}

const nothing = { isLimitRight: null, isWindowRight: null, isShorterRight: null } as const;

/** A shorter window of a second is a cap of so many a second. */
function isShorter(
  { perSecondCap, shorterWindow }: Identification,
  { limit, windowSeconds }: NonNullable<Truth['shorter']>,
): boolean {
  return (
    (windowSeconds === 1 && perSecondCap === limit) ||
    (shorterWindow?.limit === limit && shorterWindow.windowSeconds === windowSeconds)
  );
}

function explanationsOf({
  algorithm,
  limit,
  windowSeconds,
  tied,
  ...rest
}: Identification): readonly Candidate[] {
  if (tied.length > 0) return tied;
  const [name] = [algorithm].flat();
  if (name === undefined || limit === null || windowSeconds === null) return [];
  const { phaseSeconds, granularitySeconds, rejectionsCount } = rest;
  return [{ algorithm: name, limit, windowSeconds, phaseSeconds, granularitySeconds, rejectionsCount }];
}

function holds({ windowSeconds: { low, high } }: Candidate, seconds: number): boolean {
  return low <= seconds && (high === null || seconds <= high);
}
