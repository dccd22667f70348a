import { isAnyPromisedOn } from '../contract/document/headers.ts';
import { saysLimit } from '../contract/document/says-limit.ts';
import { errorField } from '../contract/error-body.ts';
import type { Exchange } from '../contract/exchange.ts';
import { greatestOf, leastOf } from '../contract/extremes.ts';
import { inconclusive, type Verdict } from '../contract/verdict.ts';
import { bodiesOf, type Examine, judgeEach } from './answers.ts';
import type { Case } from './case.ts';
import { inconclusiveBecause } from './conclude.ts';
import type { Flaw } from './evidence.ts';
import { those } from './those.ts';

/** What is judged of refusals: some of them, by what they should be and what each of them is. */
type Asked = {
  readonly judged: readonly Exchange[];
  readonly expected: string;
  readonly examine: Examine;
  /** What is said of those that are not among them; empty where there are none. */
  readonly leftOut: string;
};

/**
 * One verdict over many refusals, each looked at by itself, unless another layer may have given those that are wrong. Where a
 * document promises no headers on refusals, and a body does not say what it is, nothing tells whose one is, so one stretch of
 * time in which nothing was admitted may have been an outage, or a ban.
 */
export function judgeRefusals(
  { analyses, trace, headersOf }: Case,
  { judged, expected, examine, leftOut }: Asked,
): Verdict {
  const { document } = trace.header.deployment;
  const told = those(judged, (exchange) => isAnyPromisedOn('limited', headersOf(exchange)));
  const ofTold = judgeEach(told, expected, examine, leftOut);
  if (ofTold.kind === 'violated' || told.length === judged.length) return ofTold;
  const verdict = judgeEach(judged, expected, examine, leftOut);
  if (verdict.kind !== 'violated') return verdict;
  const wrong = new Set(judged.filter((exchange) => examine(exchange) !== null));
  // No other layer writes the body that the document has for refusals alone.
  for (const exchange of wrong) if (saysLimit(exchange, document)) return verdict;
  const isOwn = analyses.some(({ group: { limited, admitted } }) => {
    const flawed = limited.filter(({ exchange }) => wrong.has(exchange));
    const fromMs = leastOf(flawed.map(({ highMs }) => highMs));
    const untilMs = greatestOf(flawed.map(({ lowMs }) => lowMs));
    return admitted.some(({ lowMs, highMs }) => lowMs > fromMs && highMs < untilMs);
  });
  if (isOwn) return verdict;
  return inconclusive(
    `another layer may have refused so (${verdict.evidence.observed}): nothing was admitted in between. Run it again`,
  );
}

/** The same over their bodies. One that the trace does not show whole is left out, and the verdict says so. */
export function judgeRefusalBodies(
  subject: Case,
  asked: Pick<Asked, 'expected' | 'examine'> & { readonly among?: readonly Exchange[] },
): Verdict {
  const { judged, leftOut } = bodiesOf(asked.among ?? subject.limited);
  return judgeRefusals(subject, { ...asked, judged, leftOut });
}

/** The same for one field of `error`; bodies without an error object are `error.shape`'s to judge. */
export function judgeField(
  subject: Case,
  name: string,
  expected: string,
  examine: (value: unknown, exchange: Exchange) => Flaw | null,
): Verdict {
  const { judged, shaped, leftOut } = bodiesOf(subject.limited);
  if (shaped.length === 0 && judged.length > 0) return inconclusiveBecause('error.shape');
  return judgeRefusals(subject, {
    ...{ judged: shaped, expected, leftOut },
    examine: (exchange) => examine(errorField(exchange, name), exchange),
  });
}
