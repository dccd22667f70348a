import type { Grade } from './grade.ts';

export const columns = [
  'client',
  'version',
  'request',
  'done',
  '429s for 100 done',
  'time × least',
  'waits as asked',
  'backs off further',
  'jitter',
  'gives nothing up',
] as const;

/** The cells of one row, in the order of the columns. */
export function cellsOf(grade: Grade): readonly string[] {
  const { library, version, method, scope, jobs, admitted, refused, timesLeast, isDone, verdicts } = grade;
  return [
    library,
    version,
    `${method}, ${scope}`,
    `${admitted} of ${jobs}${isDone ? '' : ', time up'}`,
    admitted === 0 ? '–' : ((100 * refused) / admitted).toFixed(1),
    timesLeast === null ? '–' : timesLeast.toFixed(3),
    verdicts.waits,
    verdicts.grows,
    verdicts.jitter,
    verdicts['loses-nothing'],
  ];
}
