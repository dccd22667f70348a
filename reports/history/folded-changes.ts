import type { Report } from '../result.ts';

/** So many changes are shown; more than one beyond are folded, since a list of all would push the verdict's reasons away. */
const changesShown = 5;

/** The changes that are shown at once, and those that are folded. */
export function foldedChanges(changes: NonNullable<Report['sinceLast']>['changes']): {
  readonly shown: readonly string[];
  readonly folded: readonly string[];
} {
  const most = changes.length === changesShown + 1 ? changesShown + 1 : changesShown;
  return { shown: changes.slice(0, most), folded: changes.slice(most) };
}
