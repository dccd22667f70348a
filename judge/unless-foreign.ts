import { arePromisedOnRefusals } from '../contract/document/headers.ts';
import type { Exchange } from '../contract/exchange.ts';
import { greatestOf, leastOf } from '../contract/extremes.ts';
import { inconclusive, type Verdict } from '../contract/verdict.ts';
import type { Case } from './case.ts';
import type { Flaw } from './evidence.ts';

/**
 * A violation by refusals, unless another layer may have given these. Where a document promises no headers on refusals nothing
 * tells whose one is, so one stretch of time in which nothing was admitted may have been an outage, or a ban.
 * @param examine what is wrong with a refusal; `null` where nothing is.
 */
export function unlessForeign(
  { analyses, trace }: Case,
  verdict: Verdict,
  examine: (exchange: Exchange) => Flaw | null,
): Verdict {
  if (verdict.kind !== 'violated' || arePromisedOnRefusals(trace.header.deployment.document)) return verdict;
  const isOwn = analyses.some(({ group: { limited, admitted } }) => {
    const flawed = limited.filter(({ exchange }) => examine(exchange) !== null);
    const fromMs = leastOf(flawed.map(({ highMs }) => highMs));
    const untilMs = greatestOf(flawed.map(({ lowMs }) => lowMs));
    return admitted.some(({ lowMs, highMs }) => lowMs > fromMs && highMs < untilMs);
  });
  if (isOwn) return verdict;
  return inconclusive(
    `another layer may have refused so (${verdict.evidence.observed}): nothing was admitted in between. Run it again`,
  );
}
