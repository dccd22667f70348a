import { clauses } from '../contract/clauses/registry.ts';
import type { TraceHeader } from '../contract/trace.ts';
import type { Judged } from './outcome.ts';

/** Whether a run that left deciding clauses out may be called conformant by those that it judged. */
export type PartialRuns = 'refused' | 'accepted';

/**
 * What is enough to call a deployment conformant: each of these clauses has to be judged. They are all that decide, but
 * for those of the load suite, which show the same limits under more pressure.
 */
const enough: ReadonlySet<string> = new Set(
  clauses.filter(({ level, needs }) => level === 'must' && needs !== 'load').map(({ id }) => id),
);

/**
 * The deciding clauses that a run of this mode was not meant to judge. A whole run leaves none out: what it could not
 * judge is inconclusive, and what its settings exclude does not apply to the deployment.
 */
function leftUnjudged(mode: TraceHeader['mode'], judged: readonly Judged[]): readonly string[] {
  if (mode === 'full') return [];
  return judged.filter(({ id, kind }) => enough.has(id) && kind === 'not-applicable').map(({ id }) => id);
}

const opening = 'not enough was run';

/** Whether this is why a run's outcome is no better: then running it again changes nothing. */
export function isNotEnough(outcomeReason: string): boolean {
  return outcomeReason.startsWith(opening);
}

/** What was not run and how to run it, as one sentence; `null` where enough was run. */
export function notEnoughText(
  mode: TraceHeader['mode'],
  judged: readonly Judged[],
  partialRuns: PartialRuns,
): string | null {
  const missing = leftUnjudged(mode, judged);
  if (missing.length === 0 || partialRuns === 'accepted') return null;
  const whole = mode === 'light' ? 'a run without --light' : 'conformance run';
  const what =
    missing.length === 1 ? '1 clause that decides was' : `${missing.length} clauses that decide were`;
  return (
    `${opening}: ${what} not judged (${missing.join(', ')}); ` +
    `${whole} judges them all, and --allow-partial accepts a part`
  );
}
