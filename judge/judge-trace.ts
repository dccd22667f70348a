import { clauseIn, clausesOf } from '../contract/clauses/of-document.ts';
import type { ClauseId, RegisteredClause, RegisteredId } from '../contract/clauses/registry.ts';
import { type ClauseJudgement, type Judgement, unlessCrashed } from '../contract/judgement.ts';
import type { MessagingScope } from '../contract/scopes.ts';
import type { Trace } from '../contract/trace.ts';
import { inconclusive, notApplicable, observed, type Verdict } from '../contract/verdict.ts';
import { accessJudges } from './access.ts';
import { type Case, caseOf, type Judge } from './case.ts';
import { withDamage } from './damage.ts';
import { errorJudges } from './errors.ts';
import { headerJudges } from './headers.ts';
import { ietfJudges } from './ietf.ts';
import { judgeLimit, judgeShared, limitJudges } from './limits.ts';
import { measureBurst, measureGroup } from './measures.ts';
import { countedInBoth, dependsOnUploads, uploadsAmbiguous } from './media-below-messages.ts';
import { refusalJudges } from './refusal.ts';
import { loadJudges } from './scenarios/scenarios.ts';
import { withStatus } from './status-words.ts';
import { underUnknownUse } from './unknown-requests.ts';
import { whyOpen } from './why-open.ts';

const judges: Readonly<Record<Exclude<RegisteredId, `limits.${MessagingScope}`>, Judge>> = {
  ...limitJudges,
  ...loadJudges,
  ...headerJudges,
  ...errorJudges,
  ...accessJudges,
};

/** The judge of a clause: those of one scope are alike. */
function judgeOf(id: ClauseId): Judge {
  if (id === 'limits.shared') return judgeShared;
  const known = byId.get(id);
  if (known !== undefined) return known;
  // Names of scopes hold no dot: what stands after one is the name of one limit of several, as 1.5s is.
  const [, scope = '', ...name] = id.split('.');
  return judgeLimit(scope, name.length === 0 ? null : name.join('.'));
}

const byId: ReadonlyMap<string, Judge> = new Map(
  Object.entries({ ...judges, ...refusalJudges, ...ietfJudges }),
);

/** Judges a whole trace by every clause. Pure: the same trace gives the same judgement. */
export function judgeTrace(trace: Trace): Judgement {
  return judgeCase(caseOf(trace));
}

/** The same for a trace whose case is made already. */
export function judgeCase(subject: Case): Judgement {
  const { trace, analyses } = subject;
  const inBoth = countedInBoth(trace);
  const other = inBoth === null ? null : caseOf(inBoth);
  let known: readonly string[] | undefined;
  const unseen = (): readonly string[] => {
    known ??= whyOpen(subject);
    return known;
  };
  return {
    clauses: clausesOf(trace.header.deployment.document).map((clause) =>
      judgeClause(clause, subject, { other, unseen }),
    ),
    groups: analyses.map(measureGroup),
    bursts: trace.loads.map((line) => measureBurst(trace, line)),
  };
}

/** What bears on every clause alike. */
type Circumstances = {
  /** The case under the other reading of uploads; `null` where there is one alone. */
  readonly other: Case | null;
  /** What kept the API from being seen, in a sentence each: asked for only where something is open. */
  readonly unseen: () => readonly string[];
};

function judgeClause(
  clause: RegisteredClause,
  subject: Case,
  { other, unseen }: Circumstances,
): ClauseJudgement {
  const verdict = unlessCrashed(() => {
    const read = underReading(clause, other, judgeOf(clause.id)(subject));
    const judged = withDamage(clause.id, subject, read);
    const verdict = underUnknownUse(clause, subject.trace, judged);
    const said = inMode(clause, subject, underRefusals(subject, unseen, verdict));
    return withStatus(atLevel(clause, said), subject.trace.header.deployment.document);
  });
  return { clause: clause.id, verdict };
}

/** What a document leaves to the service is told, and neither held nor violated. */
function atLevel({ level }: RegisteredClause, verdict: Verdict): Verdict {
  if (level !== 'observe') return verdict;
  if (verdict.kind === 'held') return observed(`as described: ${verdict.summary}`);
  return verdict.kind === 'violated' ? observed(`not as described: ${verdict.evidence.observed}`) : verdict;
}

/** A violation must stand under both readings of uploads below `/v1/messages`. */
function underReading({ id }: RegisteredClause, other: Case | null, verdict: Verdict): Verdict {
  if (other === null || !showsDeviation(verdict) || !dependsOnUploads(id)) return verdict;
  const again = judgeOf(id)(other);
  const { document } = other.trace.header.deployment;
  const isMust = (because: string): boolean => clauseIn(document, because)?.level === 'must';
  // Nobody is blamed for what under the other reading falls short of a recommendation alone.
  const stands = verdict.kind === 'violated' ? showsDeviation(again, isMust) : showsDeviation(again);
  return stands ? verdict : inconclusive(uploadsAmbiguous);
}

/** Whether a clause is violated, or not judged because another one is, of those that count. */
function showsDeviation(verdict: Verdict, counts: (because: string) => boolean = () => true): boolean {
  return verdict.kind === 'violated' || (verdict.kind === 'inconclusive' && verdict.because.some(counts));
}

/**
 * Where the address was shut out, that is why so little was seen. Where keys were refused, or another layer answered,
 * that may be why: it stands before what was not seen.
 */
function underRefusals({ ban }: Case, unseen: Circumstances['unseen'], verdict: Verdict): Verdict {
  if (verdict.kind !== 'inconclusive' || verdict.because.length > 0) return verdict;
  if (ban !== null) return inconclusive(ban.reason);
  // What a run lacks by its settings it would lack anyway.
  if (verdict.openBy === 'settings') return verdict;
  return inconclusive([...unseen(), verdict.reason].join('; '));
}

/** What a run was not meant to show is not applicable to it; what it shows all the same counts. */
function inMode(clause: RegisteredClause, { trace }: Case, verdict: Verdict): Verdict {
  if (verdict.kind !== 'inconclusive' || verdict.because.length > 0) return verdict;
  if (trace.header.mode === 'light' && clause.needs !== 'any-request') {
    return notApplicable('not run: a light run saturates nothing');
  }
  if (trace.header.mode === 'load' && clause.needs !== 'load')
    return notApplicable('not shown by load alone');
  return verdict;
}
