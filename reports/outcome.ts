import type { Level } from '../contract/clause.ts';
import type { ClauseJudgement } from '../contract/judgement.ts';

/** The verdict on a whole run. */
export const runOutcomes = ['conformant', 'not-conformant', 'inconclusive', 'error'] as const;

export type RunOutcome = (typeof runOutcomes)[number];

export const outcomeWords: Readonly<Record<RunOutcome, string>> = {
  conformant: 'Conformant',
  'not-conformant': 'Not conformant',
  inconclusive: 'Inconclusive',
  error: 'Error',
};

/** The outcome of a run as its heading says it: a run that only a baseline lets pass says so. */
export function outcomeText(run: {
  readonly outcome: RunOutcome;
  readonly baseline: { readonly known: readonly unknown[] } | null;
}): string {
  const { outcome, baseline } = run;
  const isExcused = outcome === 'conformant' && baseline !== null && baseline.known.length > 0;
  return `${outcomeWords[outcome]}${isExcused ? ' except for known deviations' : ''}`;
}

/** What a colour stands for; the word beside it always says the same. */
export type Tone = 'good' | 'bad' | 'open' | 'quiet';

export const outcomeTones: Readonly<Record<RunOutcome, Tone>> = {
  conformant: 'good',
  'not-conformant': 'bad',
  inconclusive: 'open',
  error: 'bad',
};

/** Exit status of the command line for each outcome; 2 (unusable input) and 130 (interrupted) have no report. */
export const exitCodes: Readonly<Record<RunOutcome, number>> = {
  conformant: 0,
  'not-conformant': 1,
  inconclusive: 3,
  error: 4,
};

export type VerdictKind = ClauseJudgement['verdict']['kind'];

export type JudgedClause = {
  readonly id: string;
  readonly level: Level;
  readonly kind: VerdictKind;
  /** Violated clauses that keep this one from being judged. */
  readonly because?: readonly string[];
};

export type RunFacts = {
  readonly clauses: readonly JudgedClause[];
  /** Why the run is not complete, or `null` where it is. */
  readonly incomplete: string | null;
  /** What was not run though it decides, and how to run it; `null` where enough was run. */
  readonly notEnough?: string | null;
  /** Load scenarios that were wanted and did not run to their end, each with its reason. */
  readonly loadsMissing?: readonly string[];
  /** Errors of this program besides crashed judges. */
  readonly errors?: readonly string[];
  /** Clauses whose violation the baseline accepts. */
  readonly known?: ReadonlySet<string>;
  /** What is wrong with the baseline itself. */
  readonly baselineProblems?: readonly string[];
};

export type SettledOutcome = {
  readonly outcome: RunOutcome;
  /** Why the outcome is no better, one sentence each. */
  readonly reasons: readonly string[];
};

/**
 * The outcome of a run: error > not conformant > inconclusive > conformant. A proven violation stays proven when the run
 * breaks off afterwards; only the baseline can accept it. A crashed judge outweighs it, because then nothing that this
 * program says is certain. `should` and `observe` never decide.
 */
export function settle(facts: RunFacts): SettledOutcome {
  const errors = errorsOf(facts);
  if (errors.length > 0) return { outcome: 'error', reasons: errors };
  const failures = failuresOf(facts);
  if (failures.length > 0) return { outcome: 'not-conformant', reasons: failures };
  const open = openQuestions(facts);
  return open.length > 0
    ? { outcome: 'inconclusive', reasons: open }
    : { outcome: 'conformant', reasons: [] };
}

/** What is wrong with the baseline, as a reason why an outcome is no better. */
export function baselineText(problem: string): string {
  return `baseline: ${problem}`;
}

/** Why a run is not complete, as such a reason. */
export function incompleteText(reason: string): string {
  return `the run is incomplete: ${reason}`;
}

function failuresOf(facts: RunFacts): readonly string[] {
  const { known = new Set(), baselineProblems = [] } = facts;
  const violated = mustClauses(facts, 'violated').filter((id) => !known.has(id));
  return [
    ...(violated.length === 0 ? [] : [`violated: ${violated.join(', ')}`]),
    ...baselineProblems.map(baselineText),
  ];
}

function errorsOf(facts: RunFacts): readonly string[] {
  const { errors = [] } = facts;
  const crashed = facts.clauses
    .filter(({ kind }) => kind === 'crashed')
    .map(({ id }) => `the judge of ${id} crashed`);
  const nothing = facts.incomplete === null && !facts.clauses.some(isJudgedMust);
  const none = nothing ? ['no clause that decides conformance was judged'] : [];
  return [...errors, ...crashed, ...none];
}

function openQuestions(facts: RunFacts): readonly string[] {
  const undecided = facts.clauses
    .filter(
      (clause) => clause.level === 'must' && clause.kind === 'inconclusive' && !isAccepted(clause, facts),
    )
    .map(({ id }) => id);
  return [
    ...(facts.incomplete === null ? [] : [incompleteText(facts.incomplete)]),
    ...(facts.loadsMissing ?? []),
    ...(facts.notEnough ? [facts.notEnough] : []),
    ...(undecided.length === 0 ? [] : [`inconclusive: ${undecided.join(', ')}`]),
  ];
}

/** Whether a clause is open only because of violations that the baseline accepts. */
function isAccepted({ because = [] }: JudgedClause, { known }: RunFacts): boolean {
  return because.length > 0 && because.every((id) => known?.has(id));
}

function mustClauses(facts: RunFacts, kind: VerdictKind): readonly string[] {
  return facts.clauses
    .filter((clause) => clause.level === 'must' && clause.kind === kind)
    .map(({ id }) => id);
}

function isJudgedMust({ level, kind }: JudgedClause): boolean {
  return level === 'must' && (kind === 'held' || kind === 'violated' || kind === 'inconclusive');
}

/** Whether a clause holds, or was looked at and is not to be judged; not where no verdict says so. */
export function holds(kind: JudgedClause['kind'] | undefined): boolean {
  return kind === 'held' || kind === 'observed';
}
