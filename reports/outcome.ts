import type { Level } from '../contract/clause.ts';
import type { ClauseJudgement } from '../contract/judgement.ts';

/** What a whole run comes to. */
export const runOutcomes = ['conformant', 'not-conformant', 'inconclusive', 'error'] as const;

export type RunOutcome = (typeof runOutcomes)[number];

/** Exit status of the command line for each outcome; 2 (unusable input) and 130 (interrupted) have no report. */
export const exitCodes: Readonly<Record<RunOutcome, number>> = {
  conformant: 0,
  'not-conformant': 1,
  inconclusive: 3,
  error: 4,
};

export type VerdictKind = ClauseJudgement['verdict']['kind'];

export type Judged = {
  readonly id: string;
  readonly level: Level;
  readonly kind: VerdictKind;
  /** Violated clauses that keep this one from being judged. */
  readonly because?: readonly string[];
};

export type RunFacts = {
  readonly clauses: readonly Judged[];
  /** Why the run is not complete, or `null` where it is. */
  readonly incomplete: string | null;
  /** Scenarios of the load suite that were wanted and did not run to their end. */
  readonly loadsMissing: readonly string[];
  /** Errors of our own besides crashed judges. */
  readonly errors: readonly string[];
  /** Clauses whose violation is known and borne. */
  readonly known: ReadonlySet<string>;
  /** What is wrong with the list of those. */
  readonly baselineProblems: readonly string[];
};

export type Settled = {
  readonly outcome: RunOutcome;
  /** Why it is this outcome and no better one: one sentence each. */
  readonly reasons: readonly string[];
};

/**
 * The outcome of a run: error > not conformant > inconclusive > conformant. A violation that was proven stays proven
 * where the run broke off afterwards, unless it is known and borne; a crashed judge outweighs it, since then nothing that this tool says is sure.
 * `should` and `observe` never decide.
 */
export function settle(facts: RunFacts): Settled {
  const errors = errorsOf(facts);
  if (errors.length > 0) return { outcome: 'error', reasons: errors };
  const failures = failuresOf(facts);
  if (failures.length > 0) return { outcome: 'not-conformant', reasons: failures };
  const open = openQuestions(facts);
  return open.length > 0
    ? { outcome: 'inconclusive', reasons: open }
    : { outcome: 'conformant', reasons: [] };
}

function failuresOf(facts: RunFacts): readonly string[] {
  const violated = mustClauses(facts, 'violated').filter((id) => !facts.known.has(id));
  return [
    ...(violated.length === 0 ? [] : [`violated: ${violated.join(', ')}`]),
    ...facts.baselineProblems.map((problem) => `baseline: ${problem}`),
  ];
}

function errorsOf(facts: RunFacts): readonly string[] {
  const crashed = facts.clauses
    .filter(({ kind }) => kind === 'crashed')
    .map(({ id }) => `the judge of ${id} crashed`);
  const nothing = facts.incomplete === null && !facts.clauses.some(isJudgedMust);
  const none = nothing ? ['no clause that decides conformance was judged'] : [];
  return [...facts.errors, ...crashed, ...none];
}

function openQuestions(facts: RunFacts): readonly string[] {
  const undecided = facts.clauses
    .filter((clause) => clause.level === 'must' && clause.kind === 'inconclusive' && !isBorne(clause, facts))
    .map(({ id }) => id);
  return [
    ...(facts.incomplete === null ? [] : [`the run is incomplete: ${facts.incomplete}`]),
    ...facts.loadsMissing,
    ...(undecided.length === 0 ? [] : [`inconclusive: ${undecided.join(', ')}`]),
  ];
}

/** Open only because of violations that are known and borne. */
function isBorne({ because = [] }: Judged, { known }: RunFacts): boolean {
  return because.length > 0 && because.every((id) => known.has(id));
}

function mustClauses(facts: RunFacts, kind: VerdictKind): readonly string[] {
  return facts.clauses
    .filter((clause) => clause.level === 'must' && clause.kind === kind)
    .map(({ id }) => id);
}

function isJudgedMust({ level, kind }: Judged): boolean {
  return level === 'must' && (kind === 'held' || kind === 'violated' || kind === 'inconclusive');
}
