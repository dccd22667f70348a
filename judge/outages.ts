import { type Document, limitedStatusesOf, refusesLikeOutage } from '../contract/document/document.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Analysis } from './analysis.ts';
import { countUpTo } from './counting.ts';
import type { Entry, Group } from './entries.ts';
import { withoutRefusals } from './without-refusals.ts';

/**
 * Where a document refuses with a 5xx and promises no headers, an outage looks like its refusals. What one of them explains is
 * blamed on nobody.
 */
export function unlessOutage(
  analysis: Analysis,
  document: Document,
  analysed: (group: Group) => Analysis,
): Analysis {
  if (!refusesLikeOutage(document) || analysis.attribution.kind !== 'blamed') return analysis;
  const { group } = analysis;
  if (!isOneOutage(group, (without) => analysed(without).attribution.kind !== 'blamed')) return analysis;
  const status = limitedStatusesOf(document).join(' or ');
  const reason =
    `one outage explains what ${group.scope} did as well: the document refuses with HTTP ${status}, as a service does that is ` +
    'out of order. Run it again';
  return { ...analysis, attribution: { kind: 'unsure', reason } };
}

/**
 * Whether one outage explains what a group did: one stretch of time in which nothing was surely admitted, and in which each
 * refusal may have been another's.
 * @param isRight whether a group conforms, of which some refusals may be none. Each that may be none is one demand less, so
 * what is wrong without the refusals of many stretches is wrong without those of any of them: they are asked together first.
 */
export function isOneOutage(group: Group, isRight: (without: Group) => boolean): boolean {
  const { stretches, outIn } = outagesOf(group);
  const isAmong = (first: number, end: number): boolean => {
    const out = outIn(first, end);
    if (out.size === 0 || !isRight(withoutRefusals(group, out))) return false;
    if (end - first === 1) return true;
    const middle = (first + end) >>> 1;
    return isAmong(first, middle) || isAmong(middle, end);
  };
  return isAmong(0, stretches);
}

/** The stretches between two admissions that an outage may have been, and the refusals in some that follow one another. */
function outagesOf({ admitted, limited }: Group) {
  const stretches = admitted.length + 1;
  const fromMs = new Float64Array(stretches).fill(Number.NEGATIVE_INFINITY);
  // It is over when an admission that was sent in it is answered.
  const untilMs = new Float64Array(stretches).fill(Number.POSITIVE_INFINITY);
  for (let at = admitted.length - 1; at >= 0; at -= 1) {
    const { lowMs, highMs } = admitted[at] as Entry;
    fromMs[at + 1] = lowMs;
    untilMs[at] = Math.min(highMs, untilMs[at + 1] as number);
  }
  // Stretches end one after another, but by clocks of their own they need not begin so.
  const firstOf = limited.map(({ lowMs }) => countUpTo(untilMs, lowMs));
  return {
    stretches,
    outIn(first: number, end: number): ReadonlySet<Exchange> {
      const leastFromMs = fromMs.slice(first, end);
      for (let at = leastFromMs.length - 2; at >= 0; at -= 1)
        leastFromMs[at] = Math.min(leastFromMs[at] as number, leastFromMs[at + 1] as number);
      const isOut = ({ highMs }: Entry, at: number): boolean => {
        const place = Math.max(firstOf[at] as number, first) - first;
        // Past the last one there is nothing, and nothing is below that.
        return (leastFromMs[place] as number) < highMs;
      };
      return new Set(limited.filter(isOut).map(({ exchange }) => exchange));
    },
  };
}
