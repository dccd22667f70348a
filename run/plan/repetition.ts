import { clausesOf } from '../../contract/clauses/of-document.ts';
import { isLimitOf } from '../../contract/clauses/promised-limit.ts';
import { type Document, scopesOf } from '../../contract/document/document.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { Scope } from '../../contract/scopes.ts';
import type { LoadWish, RunMode } from './load-plan.ts';

/** What a run sends that is to decide what the run before it left open. */
export type Repetition = {
  readonly mode: RunMode;
  readonly load: LoadWish;
  /** The scopes that the probes fill. */
  readonly scopes: readonly Scope[];
};

/** The scope that a clause is about, or whose probes can decide it; `undefined`: it needs every scope. */
export function scopeOfClause(document: Document, id: string): Scope | undefined {
  if (id === 'limits.messages-subpaths') return 'messages';
  return scopesOf(document).find((scope) => isLimitOf(scope, id));
}

/** What to repeat of a run: the probes where one of their clauses is open, and the scenarios whose clauses are. */
export function repetitionOf(
  { clauses: judged, bursts }: Pick<Judgement, 'clauses' | 'bursts'>,
  { mode, load, document }: Pick<Repetition, 'mode' | 'load'> & { readonly document: Document },
): Repetition {
  const scopes = scopesOf(document);
  const isOpen = (id: string): boolean =>
    judged.some(({ clause, verdict }) => clause === id && verdict.kind === 'inconclusive');
  const probed = clausesOf(document).filter(
    ({ id, level, needs }) => needs !== 'load' && level === 'must' && isOpen(id),
  );
  const unfinished = new Set(
    bursts.filter(({ state }) => state !== 'complete').map(({ scenario }) => scenario),
  );
  const scenarios = load.scenarios.filter(({ name, clause }) => isOpen(clause) || unfinished.has(name));
  const needed = probed.map(({ id }) => scopeOfClause(document, id));
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
