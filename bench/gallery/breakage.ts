import type { ClauseId } from '../../contract/clauses/registry.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { Trace } from '../../contract/trace.ts';
import type { Verdict } from '../../contract/verdict.ts';
import type { ContractRun } from './contract-run.ts';
import { documentedRule, scope } from './subject.ts';

/** What one limiter on one route can keep or break of the document. */
const applicable: readonly ClauseId[] = [
  `limits.${scope}`,
  'limits.per-key',
  'window.rolling',
  'window.length',
  'headers.present',
  'headers.limit',
  'headers.remaining',
  'headers.remaining-on-429',
  'headers.reset',
  'error.status',
  'error.shape',
  'error.code',
  'error.message',
  'error.retry-after',
  'error.retry-after-suffices',
];

export type Kept = {
  /** `open` where nothing is proven broken, and not everything kept. */
  readonly kept: 'yes' | 'no' | 'open';
  readonly violated: readonly {
    readonly clause: string;
    readonly reason: string;
    readonly observed: string;
  }[];
  /** Clauses that the run could not decide, other than because of those that are violated. */
  readonly open: readonly string[];
  /** The same in a few words each, for people. */
  readonly breaks: readonly string[];
};

/** What the judges proved, cut down to the limiter. */
export function keptOf({ trace, judgement }: ContractRun): Kept {
  const verdicts = verdictsOf(judgement);
  const violated = verdicts.flatMap(({ clause, verdict }) =>
    verdict.kind === 'violated'
      ? [{ clause, reason: verdict.reason, observed: verdict.evidence.observed }]
      : [],
  );
  const open = verdicts.flatMap(({ clause, verdict }) =>
    verdict.kind === 'inconclusive' && verdict.because.length === 0 ? [clause] : [],
  );
  const words = violated.map(({ clause, reason, observed }) => inWords(clause, reason, observed));
  const breaks = [
    ...words,
    ...besides(
      trace,
      violated.map(({ clause }) => clause),
    ),
  ];
  const isWhole = trace.end?.complete === true && open.length === 0;
  const otherwise = isWhole && breaks.length === 0 ? 'yes' : 'open';
  return { kept: violated.length > 0 ? 'no' : otherwise, violated, open, breaks };
}

type Judged = { readonly clause: ClauseId; readonly verdict: Verdict };

function verdictsOf({ clauses }: Judgement): readonly Judged[] {
  return applicable.map((clause) => {
    const verdict = clauses.find((judged) => judged.clause === clause)?.verdict;
    if (verdict === undefined) throw new Error(`${clause} was not judged`);
    if (verdict.kind === 'crashed') throw new Error(`the judge of ${clause} crashed: ${verdict.message}`);
    return { clause, verdict };
  });
}

/** Violations that deserve other words than their clause and reason. */
const words: Readonly<Record<string, string>> = {
  'headers.present missing-on-success': 'no X-RateLimit headers',
  'headers.present missing-on-429': 'no X-RateLimit headers on a 429',
  'headers.reset delta': 'Reset is a number of seconds, not a time',
  'headers.reset not-an-integer': 'Reset is no integer',
  'headers.limit other-value': 'Limit is not the limit',
  'error.shape no-success': '429 body in another shape',
};

function inWords(clause: ClauseId, reason: string, observed: string): string {
  // Key and scope are the gallery's own, the same in each row.
  const seen = observed.replace(/ (?:of|for) key \w+ at \w+/, '');
  if (clause === 'window.rolling') return `does not roll: ${seen}`;
  if (clause.startsWith('limits.') || clause.startsWith('window.')) return seen;
  if (clause === 'error.shape' && reason === 'not-json') return `429: ${seen.replace(/ \(.*$/, '')}`;
  return words[`${clause} ${reason}`] ?? `${clause}: ${reason}`;
}

/** Answers later than this were held back; a busy machine takes a second or two. */
const delayedMs = 3_000;

/** What no clause names: refusals that a judge cannot hold against a key that others may use, another status, delays. */
function besides({ exchanges }: Trace, violated: readonly string[]): readonly string[] {
  const early = violated.some((clause) => clause.startsWith('limits.'))
    ? null
    : admittedBeforeRefusal(exchanges);
  const others = exchanges.flatMap(({ status, outcome }) =>
    outcome === 'refused' && status !== null ? [status] : [],
  );
  const statuses = [...new Set(others)].join(' and ');
  const longestMs = Math.max(
    0,
    ...exchanges.map(({ sentMs, receivedMs }) => (receivedMs ?? sentMs) - sentMs),
  );
  return [
    ...(early === null ? [] : [`refuses after ${early} of ${documentedRule.limit}`]),
    ...(statuses === '' ? [] : [`refuses with ${statuses}`]),
    ...(longestMs < delayedMs ? [] : [`delays answers by up to ${(longestMs / 1_000).toFixed(1)} s`]),
  ];
}

/** The most that can have been admitted when the first request was refused; `null` where that may be the whole limit. */
function admittedBeforeRefusal(exchanges: readonly Exchange[]): number | null {
  const [first] = exchanges;
  const own = exchanges.filter(({ key }) => key === first?.key);
  const refusals = own.filter(({ outcome }) => outcome === 'limited' || outcome === 'refused');
  const refusedMs = Math.min(...refusals.map(({ receivedMs, sentMs }) => receivedMs ?? sentMs));
  const before = own.filter(
    ({ outcome, sentMs }) => outcome !== 'limited' && outcome !== 'refused' && sentMs <= refusedMs,
  );
  return refusals.length > 0 && before.length < documentedRule.limit ? before.length : null;
}
