import { costOf } from '../contract/document/cost.ts';
import { greatestOf } from '../contract/extremes.ts';
import { headerInteger } from '../contract/rate-limit-headers.ts';
import type { Case } from './case.ts';
import type { Entry, Group } from './entries.ts';

/**
 * That several processes or nodes behind one address each count for themselves, a sentence for each address: the values of Remaining of
 * one key come twice and more, in turn. It may explain a violation, and is none.
 */
export function countedApart({ analyses, trace, headersOf }: Case): readonly string[] {
  const found = new Map<number, string>();
  for (const { group } of analyses) {
    for (const node of new Set(group.entries.map(({ exchange }) => exchange.node))) {
      const again = found.has(node) ? [] : givenAgain(group, node);
      if (again.length === 0) continue;
      const name = headersOf(group).names.remaining ?? 'Remaining';
      found.set(
        node,
        `several processes or nodes behind ${trace.header.deployment.baseUrls[node]}, or one for each connection, seem to count each for itself: answers to key ` +
          `${group.key} at ${group.scope} gave ${again.length} values of ${name} more than once, in turn (${again.slice(0, 3).join(', ')}). ` +
          'Each of them lets the whole limit pass; counts that are kept outside of the process are shared',
      );
    }
  }
  return [...found.values()];
}

/** Fewer values than this that come again may be an answer that was late, or a place that came back. */
const againMin = 5;

/** Of requests that are counted at once by one counter without a lock, fewer than this share of the values come again. */
const againShareMin = 0.75;

/**
 * The values of Remaining that came again although nothing had come back: none where fewer than most did. A window that begins anew, as
 * after a restart, gives its greatest value again: what is looked at comes after the last of those.
 */
function givenAgain(group: Group, node: number): readonly number[] {
  const { limit, windowMs } = group;
  const within = toldAtFirst(group, node);
  const greatest = greatestOf(within.map(({ remaining }) => remaining));
  const after = within.slice(within.findLastIndex(({ remaining }) => remaining === greatest));
  const [first, last] = [after[0], after.at(-1)];
  if (first === undefined || last === undefined) return [];
  const byValue = Map.groupBy(after, ({ remaining }) => remaining);
  const again = [...byValue].flatMap(([value, ones]) => (ones.length > 1 ? [value] : []));
  // A bucket gives back as many meanwhile, one by one.
  const returned = ((last.entry.lowMs - first.entry.lowMs) * limit) / windowMs;
  return again.length < Math.max(againMin, returned + 1, againShareMin * byValue.size) ? [] : again;
}

type Told = { readonly entry: Entry; readonly remaining: number };

/** What Remaining said until the window was full or over, by answers of one node that took one place each. */
function toldAtFirst({ windowMs, limited, entries }: Group, node: number): readonly Told[] {
  const told: Told[] = [];
  let untilMs = limited[0]?.lowMs ?? Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    const { exchange, lowMs } = entry;
    if (lowMs >= untilMs) break;
    const isPlain = exchange.route === 'main' && costOf(exchange) === 1;
    if (!isPlain || exchange.node !== node || exchange.outcome !== 'admitted') continue;
    const remaining = headerInteger(exchange, 'remaining');
    if (remaining === null) continue;
    untilMs = Math.min(untilMs, lowMs + windowMs);
    told.push({ entry, remaining });
  }
  return told;
}
