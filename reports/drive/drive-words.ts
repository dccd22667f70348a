import type { RunOutcome } from '../outcome.ts';
import type { CaseResult, DriveReport } from './drive-result.ts';

/** What a case's verdict is called; a failed `should` is a shortcoming, not a failure. */
export function caseWord({ level, verdict }: CaseResult): string {
  switch (verdict.kind) {
    case 'held':
      return 'passed';
    case 'violated':
      return level === 'must' ? 'FAILED' : 'shortcoming';
    case 'inconclusive':
      return 'open';
    case 'not-applicable':
      return 'not assessed';
    case 'crashed':
      return 'CRASHED';
    default:
      return verdict satisfies never;
  }
}

/** What decided, in one sentence. */
export function caseEvidence({ verdict }: CaseResult): string {
  switch (verdict.kind) {
    case 'held':
      return verdict.summary;
    case 'violated':
      return verdict.observed;
    case 'inconclusive':
      return verdict.because.length === 0
        ? verdict.reason
        : `${verdict.reason}: ${verdict.because.join(', ')}`;
    case 'not-applicable':
      return verdict.reason;
    case 'crashed':
      return verdict.message;
    default:
      return verdict satisfies never;
  }
}

/** What the whole drive comes to. */
export const driveWords: Readonly<Record<RunOutcome, string>> = {
  conformant: 'PASSED',
  'not-conformant': 'FAILED',
  inconclusive: 'OPEN',
  error: 'ERROR',
};

/** Counts of the cases; a count of nought is left out. */
export function driveCountsText({ counts }: Pick<DriveReport, 'counts'>): string {
  const { passed, failed, shortcomings, open, notAssessed, crashed } = counts;
  const assessed = passed + failed + shortcomings + open + crashed;
  const parts: readonly (readonly [number, string])[] = [
    [failed, 'failed'],
    [shortcomings, shortcomings === 1 ? 'shortcoming' : 'shortcomings'],
    [open, 'open'],
    [crashed, 'crashed'],
    [notAssessed, 'not assessed'],
  ];
  const others = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return [`${passed} of ${assessed} cases passed`, ...others].join(', ');
}
