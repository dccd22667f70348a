import type { ClauseId } from '../../contract/clauses/registry.ts';
import { clauses } from '../../contract/clauses/registry.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { type Scope, scopes } from '../../contract/scopes.ts';
import type { LoadWish, RunMode } from './load-plan.ts';

/** What a run sends that is to decide what the run before it left open. */
export type Repetition = {
  readonly mode: RunMode;
  readonly load: LoadWish;
  /** The scopes that the probes fill. */
  readonly scopes: readonly Scope[];
};

/** Clauses that are about one scope, or that the probes of one scope can decide; all others need every scope. */
export const ofOneScope: Readonly<Partial<Record<ClauseId, Scope>>> = {
  'limits.standard': 'standard',
  'limits.messages': 'messages',
  'limits.messages-subpaths': 'messages',
  'limits.media': 'media',
};

/** What to repeat of a run: the probes where one of their clauses is open, and the scenarios whose clauses are. */
export function repetitionOf(
  { clauses: judged, bursts }: Pick<Judgement, 'clauses' | 'bursts'>,
  { mode, load }: Pick<Repetition, 'mode' | 'load'>,
): Repetition {
  const isOpen = (id: string): boolean =>
    judged.some(({ clause, verdict }) => clause === id && verdict.kind === 'inconclusive');
  const probed = clauses.filter(({ id, level, needs }) => needs !== 'load' && level === 'must' && isOpen(id));
  const unfinished = new Set(
    bursts.filter(({ state }) => state !== 'complete').map(({ scenario }) => scenario),
  );
  const scenarios = load.scenarios.filter(({ name, clause }) => isOpen(clause) || unfinished.has(name));
  const needed = probed.map(({ id }) => ofOneScope[id]);
  return {
    mode: probed.length === 0 && scenarios.length > 0 ? 'load' : mode,
    load: { ...load, scenarios },
    scopes:
      needed.length === 0 || needed.includes(undefined)
        ? scopes
        : scopes.filter((one) => needed.includes(one)),
  };
}

/** What a run left open or held, for a run that repeats a part of it. */
export type RunBefore = { readonly runId: string; readonly clauses: Judgement['clauses'] };

/**
 * The verdicts of two runs, of which the second repeats what the first left open: that is decided by the second, and the
 * rest by the first. A violation of either stands.
 */
export function decidedByBoth(before: RunBefore, after: Judgement): Judgement {
  const known = new Map(before.clauses.map((one) => [one.clause, one]));
  return {
    ...after,
    clauses: after.clauses.map((second) => {
      const first = known.get(second.clause);
      if (first === undefined || second.verdict.kind === 'violated' || second.verdict.kind === 'crashed')
        return second;
      const wasOpen = first.verdict.kind === 'inconclusive' || first.verdict.kind === 'crashed';
      if (wasOpen && second.verdict.kind !== 'not-applicable') return second;
      const { verdict } = first;
      if (verdict.kind !== 'held') return first;
      return { ...first, verdict: { ...verdict, summary: `${verdict.summary} (run ${before.runId})` } };
    }),
  };
}
