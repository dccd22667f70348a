import { clausesOf } from '../contract/clauses/of-document.ts';
import { sendsKeys } from '../contract/deployment.ts';
import type { TraceHeader } from '../contract/trace-header.ts';
import type { JudgedClause } from './outcome.ts';

/** Whether a run that left deciding clauses out may be called conformant by those that it judged. */
export type PartialRuns = 'refused' | 'accepted';

type RunFacts = Pick<TraceHeader, 'mode' | 'deployment'>;

/**
 * What is enough to call a deployment conformant: each of these clauses has to be judged. They are all that decide, but
 * for those of the load suite, which show the same limits under more pressure, and what no run asks that sends no key.
 */
function enoughOf(deployment: RunFacts['deployment']): ReadonlySet<string> {
  const deciding = clausesOf(deployment.document).filter(
    ({ id, level, needs }) =>
      level === 'must' && needs !== 'load' && (sendsKeys(deployment) || id !== 'limits.shared'),
  );
  return new Set(deciding.map(({ id }) => id));
}

/**
 * The deciding clauses that a run of this mode was not meant to judge. A whole run leaves none out: what it could not
 * judge is inconclusive, and what its settings exclude does not apply to the deployment.
 */
function leftUnjudged({ mode, deployment }: RunFacts, judged: readonly JudgedClause[]): readonly string[] {
  if (mode === 'full') return [];
  const enough = enoughOf(deployment);
  return judged.filter(({ id, kind }) => enough.has(id) && kind === 'not-applicable').map(({ id }) => id);
}

/** What was not run and how to run it, as one sentence; `null` where enough was run. */
export function notEnoughText(
  run: RunFacts,
  judged: readonly JudgedClause[],
  partialRuns: PartialRuns,
): string | null {
  const missing = leftUnjudged(run, judged);
  if (missing.length === 0 || partialRuns === 'accepted') return null;
  const whole = run.mode === 'light' ? 'a run without --light' : 'conformance run';
  const what =
    missing.length === 1 ? '1 clause that decides was' : `${missing.length} clauses that decide were`;
  return (
    `not enough was run: ${what} not judged (${missing.join(', ')}); ` +
    `${whole} judges them all, and --allow-partial accepts a part`
  );
}
