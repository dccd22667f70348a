import type { QuotedExchange } from '../contract/verdict.ts';
import type { Case } from './case.ts';
import { type Group, groupsOf, keysIn } from './entries.ts';

/** Clauses that look at the exchanges of their own load scenario alone. */
const ownScenario: ReadonlySet<string> = new Set(['load.messages-burst', 'load.media-burst', 'load.nodes']);

/** The load scenario of which alone a clause speaks; `null` where it speaks of whole groups. */
export function ownScenarioOf(clause: string): string | null {
  return ownScenario.has(clause) ? clause.slice('load.'.length) : null;
}

/** What evidence quotes of a request. */
type Quoted = Pick<QuotedExchange, 'requestId' | 'key' | 'scope'>;

/** The groups that a violation may be about, first those of which its evidence quotes requests. */
export function groupsShownFirst(
  { trace, analyses }: Case,
  quoted: readonly Quoted[],
  scenario: string | null,
): readonly Group[] {
  const groups =
    scenario === null
      ? analyses.map(({ group }) => group)
      : groupsOf({
          ...trace,
          exchanges: trace.exchanges.filter((exchange) => exchange.scenario === scenario),
        });
  return [...new Set([...groups.filter((group) => isAbout(group, quoted)), ...groups])];
}

/** The id of each request of a long trace is asked for only where one of its key and scope is quoted. */
function isAbout({ key, scope, entries }: Group, quoted: readonly Quoted[]): boolean {
  const keys = keysIn(key);
  const own = quoted.filter((one) => one.scope === scope && one.key !== null && keys.includes(one.key));
  const ids = new Set(own.map(({ requestId }) => requestId));
  return ids.size > 0 && entries.some(({ exchange }) => ids.has(exchange.requestId));
}
