import { notWanted } from '../../contract/clauses/load.ts';
import { areKeysCountedTogether } from '../../contract/document/counted-by.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { Trace } from '../../contract/trace.ts';
import type { LoadLine } from '../../contract/trace-lines.ts';
import { compose, inconclusive, notApplicable, type Verdict, violated } from '../../contract/verdict.ts';
import type { Analysis } from '../analysis.ts';
import { analyse } from '../attribution.ts';
import type { Case, Judge } from '../case.ts';
import { inconclusiveBecause, undecided } from '../conclude.ts';
import { type Entry, groupsOf } from '../entries.ts';
import { withOuter } from '../outer.ts';
import { countedTogether } from '../promises/counted-together.ts';

/** What a scenario of the load suite left in a trace. */
export type LoadCase = {
  readonly line: LoadLine;
  /** Its exchanges with a key. */
  readonly exchanges: readonly Exchange[];
  readonly parts: readonly LoadPart[];
};

/** What a scenario did with one key in one scope. */
export type LoadPart = {
  /** Of everything that the key did in that scope, other scenarios included: one window has to explain it all. */
  readonly analysis: Analysis;
  /** The scenario's own requests, which it is measured by, each once however often Go may have sent it. */
  readonly entries: readonly Entry[];
  readonly admitted: readonly Entry[];
  readonly limited: readonly Entry[];
};

/** The verdict where a scenario left nothing at all. */
export function notRun({ leftOut = [] }: Trace, scenario: string): Verdict {
  const line = leftOut.find((one) => one.scenario === scenario);
  return notApplicable(line === undefined ? notWanted : `not possible here: ${line.reason}`);
}

/**
 * The judge of a scenario's clause: a deviation that its exchanges prove is violated, broken off or not; then it must
 * be complete; then `whole` says what it showed.
 */
export function judgeScenario(scenario: string, whole: (load: LoadCase) => Verdict): Judge {
  return (subject) => {
    const load = loadCaseOf(subject, scenario);
    if (load === null) return notRun(subject.trace, scenario);
    const deviations = load.parts.flatMap(({ analysis }) => deviation(analysis, scenario, subject));
    if (deviations.length > 0) return compose(deviations);
    if (load.line.state !== 'complete')
      return inconclusive(load.line.reason ?? 'the scenario did not complete');
    if (load.exchanges.length === 0) return inconclusive('the scenario sent nothing with a valid key');
    return whole(load);
  };
}

/** What a scenario left; `null` where it was left out. */
export function loadCaseOf({ trace, analyses }: Case, scenario: string): LoadCase | null {
  const line = trace.loads.findLast((load) => load.scenario === scenario);
  if (line === undefined) return null;
  const exchanges = exchangesOfLoad(trace, line).filter(({ credential }) => credential === 'valid');
  const own = new Set(exchanges);
  const parts = analyses.map((analysis) => partOf(analysis, own)).filter(({ entries }) => entries.length > 0);
  return { line, exchanges, parts };
}

function partOf(analysis: Analysis, own: ReadonlySet<Exchange>): LoadPart {
  const entries = analysis.group.entries.filter(({ exchange }) => own.has(exchange));
  return {
    analysis,
    entries,
    admitted: entries.filter(({ exchange }) => exchange.outcome === 'admitted'),
    limited: entries.filter(({ exchange }) => exchange.outcome === 'limited'),
  };
}

/** The exchanges of a scenario. Traces of before scenarios were named in them had one key and scope for each. */
export function exchangesOfLoad({ exchanges }: Trace, line: LoadLine): readonly Exchange[] {
  return exchanges.filter(({ driver, scenario, scope, key }) =>
    scenario === undefined
      ? driver === 'k6' && scope === line.scope && key === line.key
      : scenario === line.scenario,
  );
}

/** Answers that were neither 2xx nor 429, and requests without one, keep a scenario from showing what it is for. */
export function unexpected({ exchanges }: Pick<LoadCase, 'exchanges'>): Verdict | null {
  const other = exchanges.filter(
    ({ outcome }) => outcome === 'refused' || outcome === 'indeterminate',
  ).length;
  if (other === 0) return null;
  return inconclusive(`${other} of ${exchanges.length} answered neither 2xx nor 429, or not at all`);
}

export function admittedIn(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(({ outcome }) => outcome === 'admitted');
}

/** What keeps a group from having shown what it should; none where its admissions and 429s are explained. */
function deviation(analysis: Analysis, scenario: string, subject: Case): readonly Verdict[] {
  const { attribution } = analysis;
  if (attribution.kind === 'explained') return [];
  if (attribution.kind === 'follows') return [inconclusiveBecause(attribution.clause)];
  if (attribution.kind !== 'blamed') return [undecided(attribution)];
  const { clause, reason, evidence } = attribution;
  return isBlamedWithout(analysis, scenario, subject)
    ? [inconclusive(`not judged: ${clause} was violated before the scenario began`, [clause])]
    : [violated(reason, evidence)];
}

/** Whether the same key and scope deviate already in what came before: then the scenario has shown nothing new. */
function isBlamedWithout({ group }: Analysis, scenario: string, { trace, stepped }: Case): boolean {
  const { deployment } = trace.header;
  const exchanges = trace.exchanges.filter((exchange) => exchange.scenario !== scenario);
  const alone = withOuter(groupsOf({ ...trace, exchanges }), trace.header);
  const groups = countedTogether(alone, { header: trace.header, stepped })?.groups ?? alone;
  const ofScope = groups.filter(({ scope }) => scope === group.scope);
  // A window that all keys share may have had fewer of them before.
  const shared = areKeysCountedTogether(deployment.document, group.scope) ? ofScope[0] : undefined;
  const before = ofScope.find(({ key }) => key === group.key) ?? shared;
  if (before === undefined) return false;
  const setting = { deployment, stepped, otherScopes: [], otherKeys: [], ofKey: [], peers: [] };
  return analyse({ ...before, settledMs: group.settledMs }, setting).attribution.kind === 'blamed';
}
