import type { ClauseResult } from '../clause-result.ts';
import type { Baseline, KnownDeviation } from './baseline.ts';

export type BaselineUpdate = {
  readonly baseline: Baseline;
  readonly added: readonly KnownDeviation[];
  readonly removed: readonly KnownDeviation[];
  /** Listed before and now, with the date moved on where a new one was given. */
  readonly kept: readonly KnownDeviation[];
};

export type BaselineWords = { readonly reason: string; readonly until: string };

/**
 * The baseline that fits a run: what is newly violated comes in with these words, what holds goes out, and what could
 * not be judged stays as it was. A date that has passed is moved to the new one.
 * @param today `YYYY-MM-DD`, UTC.
 */
export function updatedBaseline(
  before: Baseline,
  clauses: readonly ClauseResult[],
  { words, today }: { readonly words: BaselineWords; readonly today: string },
): BaselineUpdate {
  const kinds = new Map(clauses.map(({ id, verdict }) => [id, verdict.kind]));
  const holds = ({ clause }: KnownDeviation): boolean => {
    const kind = kinds.get(clause);
    return kind === 'held' || kind === 'observed';
  };
  const listed = new Set(before.deviations.map(({ clause }) => clause));
  const kept = before.deviations
    .filter((one) => !holds(one))
    .map((one) => (one.until < today ? { ...one, until: words.until } : one));
  const added = clauses
    .filter(({ id, level, verdict }) => level === 'must' && verdict.kind === 'violated' && !listed.has(id))
    .map(({ id }) => ({ clause: id, ...words }));
  return {
    baseline: { schemaVersion: 1, deviations: [...kept, ...added] },
    added,
    removed: before.deviations.filter(holds),
    kept,
  };
}
