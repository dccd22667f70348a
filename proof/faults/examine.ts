import { type ClauseId, findClause } from '../../contract/clauses/registry.ts';
import type { ClauseJudgement, Judgement } from '../../contract/judgement.ts';
import type { Subject } from './subjects.ts';

/** One way in which a run did not say what it should have said about a subject. */
export type Discrepancy =
  /** A clause that must be violated was not; inconclusive where `reason` says why. */
  | { readonly kind: 'missed'; readonly clause: ClauseId; readonly verdict: string; readonly reason: string }
  /** A clause was violated that has nothing to do with the deviation. */
  | { readonly kind: 'stray'; readonly clause: ClauseId; readonly reason: string; readonly observed: string }
  /** A clause was violated as expected, for a reason that was not. */
  | {
      readonly kind: 'misnamed';
      readonly clause: ClauseId;
      readonly reason: string;
      readonly observed: string;
    }
  /** A clause that nothing can prove was decided all the same. */
  | { readonly kind: 'decided'; readonly clause: ClauseId; readonly verdict: string }
  | { readonly kind: 'crashed'; readonly clause: ClauseId; readonly message: string };

export type Examination = {
  readonly violated: readonly ClauseId[];
  readonly discrepancies: readonly Discrepancy[];
};

/** Holds one judgement against what was expected of it. */
export function examine(subject: Subject, judgement: Judgement): Examination {
  const known = judgement.clauses.flatMap(withId);
  return {
    violated: known.filter(({ verdict }) => verdict.kind === 'violated').map(({ id }) => id),
    discrepancies: known.flatMap((judged) => discrepancyOf(subject, judged)),
  };
}

type Judged = { readonly id: ClauseId; readonly verdict: ClauseJudgement['verdict'] };

function withId({ clause, verdict }: ClauseJudgement): readonly Judged[] {
  const id = findClause(clause)?.id;
  return id === undefined ? [] : [{ id, verdict }];
}

function discrepancyOf(subject: Subject, { id: clause, verdict }: Judged): readonly Discrepancy[] {
  if (verdict.kind === 'crashed') return [{ kind: 'crashed', clause, message: verdict.message }];
  if (verdict.kind === 'violated') {
    const { reason, evidence } = verdict;
    const { observed } = evidence;
    if (!subject.must.includes(clause) && !subject.may.includes(clause))
      return [{ kind: 'stray', clause, reason, observed }];
    return subject.reasons.includes(reason) ? [] : [{ kind: 'misnamed', clause, reason, observed }];
  }
  if (subject.must.includes(clause))
    return [{ kind: 'missed', clause, verdict: verdict.kind, reason: whyNot(verdict) }];
  const isOpen = subject.leavesOpen.includes(clause);
  return isOpen && verdict.kind !== 'inconclusive'
    ? [{ kind: 'decided', clause, verdict: verdict.kind }]
    : [];
}

function whyNot(
  verdict: Exclude<ClauseJudgement['verdict'], { readonly kind: 'violated' | 'crashed' }>,
): string {
  switch (verdict.kind) {
    case 'held':
      return verdict.summary;
    case 'observed':
      return verdict.value;
    case 'inconclusive':
    case 'not-applicable':
      return verdict.reason;
    default:
      return verdict satisfies never;
  }
}
