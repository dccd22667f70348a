import type { ClauseResult } from './result.ts';

/** What the table and the summary call a verdict; a violated `should` is a shortcoming, not a violation. */
export function verdictWord({ level, verdict }: ClauseResult): string {
  switch (verdict.kind) {
    case 'violated':
      return level === 'must' ? 'VIOLATED' : 'shortcoming';
    case 'not-applicable':
      return 'not run';
    case 'crashed':
      return 'CRASHED';
    case 'held':
    case 'inconclusive':
    case 'observed':
      return verdict.kind;
    default:
      throw new Error(`no word for ${verdict satisfies never}`);
  }
}

/** What decided, in one sentence. */
export function evidenceOf(verdict: ClauseResult['verdict']): string {
  switch (verdict.kind) {
    case 'held':
      return verdict.summary;
    case 'violated':
      return verdict.evidence.observed;
    case 'observed':
      return verdict.value;
    case 'inconclusive':
      // Most reasons name the clause already.
      return verdict.because.every((id) => verdict.reason.includes(id))
        ? verdict.reason
        : `${verdict.reason} (because of ${verdict.because.join(', ')})`;
    case 'not-applicable':
      return verdict.reason;
    case 'crashed':
      return verdict.message;
    default:
      throw new Error(`no evidence in ${verdict satisfies never}`);
  }
}
