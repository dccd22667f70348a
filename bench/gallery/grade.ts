import type { Candidate, Identification } from '../../contract/identification.ts';
import { families, type Truth } from './truth.ts';

/** What an identification is worth, held against what the limiter is. */
export type Grade = {
  /** `tie`: the truth is one of several that explain the answers equally well. */
  readonly name: 'alone' | 'tie' | 'wrong' | 'not named';
  /** Whether limit and window of the truth are among those found; `null` where there is nothing to compare. */
  readonly isLimitRight: boolean | null;
  readonly isWindowRight: boolean | null;
};

/** Grades an identification. Limit and window are looked for in the explanations that bear the true name. */
export function gradeOf(identification: Identification, truth: Truth): Grade {
  const accepted: readonly string[] = families[truth.family];
  const named = [identification.algorithm].flat();
  if (named.length === 1 && named[0] === 'unidentified') {
    return { name: 'not named', isLimitRight: null, isWindowRight: null };
  }
  const right = explanationsOf(identification).filter(({ algorithm }) => accepted.includes(algorithm));
  if (right.length === 0) return { name: 'wrong', isLimitRight: null, isWindowRight: null };
  const { windowSeconds } = truth;
  return {
    name: named.every((algorithm) => accepted.includes(algorithm)) ? 'alone' : 'tie',
    isLimitRight: right.some(({ limit }) => limit === truth.limit),
    isWindowRight: windowSeconds === null ? null : right.some((one) => holds(one, windowSeconds)),
  };
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
