import { type Document, limitedStatusesOf, refusesLikeOutage } from '../contract/document/document.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Analysis } from './analysis.ts';
import type { Entry, Group } from './entries.ts';
import { withoutRefusals } from './without-refusals.ts';

/**
 * Where a document refuses with a 5xx and promises no headers, an outage looks like its refusals. What one of them explains is
 * blamed on nobody: one stretch of time in which nothing was surely admitted, and in which each refusal may have been another's.
 */
export function unlessOutage(
  analysis: Analysis,
  document: Document,
  analysed: (group: Group) => Analysis,
): Analysis {
  if (!refusesLikeOutage(document) || analysis.attribution.kind !== 'blamed') return analysis;
  const { group } = analysis;
  const isExplained = stretchesOf(group).some(
    (out) => analysed(withoutRefusals(group, out)).attribution.kind !== 'blamed',
  );
  if (!isExplained) return analysis;
  const status = limitedStatusesOf(document).join(' or ');
  const reason =
    `one outage explains what ${group.scope} did as well: the document refuses with HTTP ${status}, as a service does that is ` +
    'out of order. Run it again';
  return { ...analysis, attribution: { kind: 'unsure', reason } };
}

/** The refusals of each stretch between two admissions that an outage may have been, the longest ones alone. */
export function stretchesOf({ admitted, limited }: Group): readonly ReadonlySet<Exchange>[] {
  const lows = [Number.NEGATIVE_INFINITY, ...admitted.map(({ lowMs }) => lowMs)];
  const found = new Map<string, ReadonlySet<Exchange>>();
  for (const [at, fromMs] of lows.entries()) {
    // It is over when an admission that was sent in it is answered.
    const untilMs = admitted.slice(at).reduce(leastHigh, Number.POSITIVE_INFINITY);
    const out = limited.filter(({ lowMs, highMs }) => highMs > fromMs && lowMs < untilMs);
    const [first, last] = [out[0], out.at(-1)];
    if (first === undefined || last === undefined) continue;
    const between = `${first.exchange.requestId}\n${last.exchange.requestId}\n${out.length}`;
    if (!found.has(between)) found.set(between, new Set(out.map(({ exchange }) => exchange)));
  }
  return [...found.values()];
}

function leastHigh(least: number, { highMs }: Entry): number {
  return Math.min(least, highMs);
}
