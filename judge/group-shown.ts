import type { Case } from './case.ts';
import { type Group, groupsOf } from './entries.ts';

/** Clauses that look at the exchanges of their own load scenario alone. */
const ownScenario: ReadonlySet<string> = new Set(['load.messages-burst', 'load.media-burst', 'load.nodes']);

/** The load scenario of which alone a clause speaks; `null` where it speaks of whole groups. */
export function ownScenarioOf(clause: string): string | null {
  return ownScenario.has(clause) ? clause.slice('load.'.length) : null;
}

/**
 * The groups that a violation may be about, first that of which its evidence quotes requests.
 * @param shown ids of those requests.
 */
export function groupsShownFirst(
  { trace, analyses }: Case,
  shown: readonly string[],
  scenario: string | null,
): readonly Group[] {
  const groups =
    scenario === null
      ? analyses.map(({ group }) => group)
      : groupsOf({
          ...trace,
          exchanges: trace.exchanges.filter((exchange) => exchange.scenario === scenario),
        });
  const ids = new Set(shown);
  const isAbout = ({ entries }: Group): boolean =>
    entries.some(({ exchange }) => ids.has(exchange.requestId));
  return [...groups.filter(isAbout), ...groups.filter((group) => !isAbout(group))];
}
