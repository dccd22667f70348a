import type { Level } from '../contract/clause.ts';
import type { ClauseJudgement } from '../contract/judgement.ts';
import type { CaseJudgement } from '../contract/webhooks/drive/verdict.ts';
import type { Tone, VerdictKind } from './outcome.ts';

/** A verdict on a clause of the document, or on a case that was sent to a receiver. */
export type AnyVerdict = ClauseJudgement['verdict'] | CaseJudgement['verdict'];

/** Whatever has a verdict, and how much that decides. */
export type DecidedClause = { readonly level: Level; readonly verdict: { readonly kind: VerdictKind } };

/** What a verdict on a clause is called; a violated `should` is a shortcoming, not a violation. */
export function verdictWord({ level, verdict }: DecidedClause): string {
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
      throw new Error(`no word for ${verdict.kind satisfies never}`);
  }
}

/** How a verdict is coloured. */
export function verdictTone({ level, verdict }: DecidedClause): Tone {
  switch (verdict.kind) {
    case 'held':
      return 'good';
    case 'violated':
      return level === 'must' ? 'bad' : 'open';
    case 'crashed':
      return 'bad';
    case 'inconclusive':
      return 'open';
    case 'observed':
    case 'not-applicable':
      return 'quiet';
    default:
      throw new Error(`no tone for ${verdict.kind satisfies never}`);
  }
}

/** What decided, in one sentence. */
export function evidenceOf(verdict: AnyVerdict): string {
  switch (verdict.kind) {
    case 'held':
      return verdict.summary;
    case 'violated':
      return 'evidence' in verdict ? verdict.evidence.observed : verdict.observed;
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

/** Counts with their nouns, as in "2 violated, 1 not run"; a count of 0 is left out. */
export function countList(counts: readonly (readonly [count: number, what: string])[]): readonly string[] {
  return counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
}
