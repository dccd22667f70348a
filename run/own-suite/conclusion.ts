import { evidenceText } from '../../checks/evidence-text.ts';
import { clauseIn } from '../../contract/clauses/of-document.ts';
import { limitedStatusText } from '../../contract/document/document.ts';
import { greatestOf } from '../../contract/extremes.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { answeredOf, mayHavePassed } from '../../contract/request-template.ts';
import { interrupted } from '../../contract/unreachable.ts';
import type { ProbedTrace } from './look-at.ts';

/** What one look at a limit shows. */
export type Conclusion =
  | { readonly kind: 'kept'; readonly text: string }
  /** Proven: no timing of this machine or of the network explains it. */
  | { readonly kind: 'broken'; readonly text: string }
  /** Nothing is proven either way; another look may. */
  | { readonly kind: 'undecided'; readonly text: string; readonly slowestMs: number }
  /** There is nothing to look at: no answer, or not the right one. */
  | { readonly kind: 'not-asked'; readonly text: string };

/** The clauses that a limit has to hold, all of them that its document has, to be kept. */
const decisive = ['limits.endpoint', 'window.rolling', 'window.length', 'error.status'] as const;

/**
 * What the judges' verdicts mean for a test. One violated clause is enough for *broken*; *kept* needs each of them held, so a limit that
 * the machine was too slow to see is never taken for kept.
 */
export function conclude({ trace, stopped }: ProbedTrace, { clauses }: Judgement): Conclusion {
  const { document } = trace.header.deployment;
  const wanted = decisive.filter((id) => clauseIn(document, id) !== undefined);
  const found = wanted.flatMap((id) => clauses.find((one) => one.clause === id) ?? []);
  for (const { clause: id, verdict } of found) {
    const clause = clauseIn(document, id);
    if (verdict.kind === 'violated' && clause !== undefined)
      return { kind: 'broken', text: evidenceText(clause, verdict.evidence) };
  }
  const open = found.filter(({ verdict }) => verdict.kind !== 'held');
  if (found.length === wanted.length && open.length === 0 && stopped === null)
    return { kind: 'kept', text: found.map(({ verdict }) => wordsOf(verdict)).join('; ') };
  if (stopped === interrupted) return { kind: 'not-asked', text: stopped };
  const why = unasked(trace) ?? refusedOtherwise(trace) ?? stopped;
  if (why !== null) return { kind: 'not-asked', text: why };
  const slowestMs = greatestOf(
    trace.exchanges.map(({ sentMs, receivedMs }) => (receivedMs ?? sentMs) - sentMs),
  );
  const text = open.map(({ clause, verdict }) => `${clause}: ${wordsOf(verdict)}`).join('\n');
  return { kind: 'undecided', text, slowestMs };
}

/** Why an endpoint is not looked at that answers, but not as it has to; `null` where nothing of that is seen. */
function unasked({ header, exchanges }: ProbedTrace['trace']): string | null {
  const wrong = exchanges.find(({ purpose, outcome }) => purpose === 'preflight' && outcome === 'refused');
  if (wrong === undefined) return null;
  const { method, path, status } = wrong;
  const fix =
    status === 401 || status === 403
      ? 'If it needs a key, give it in headers'
      : 'Check url, method, headers and json';
  const counted = mayHavePassed(status)
    ? ` If it is counted all the same, add answered: ${status} to it.`
    : '';
  const said = Object.values(header.deployment.requests).flatMap((request) =>
    request === undefined ? [] : answeredOf(request),
  );
  return `${method} ${path} answered ${status}, and has to be answered ${['2xx', ...said].join(' or ')}. ${fix}.${counted}`;
}

/** Where nothing is refused as it has to be, but by another status, a further look shows no more; `null` where that is not so. */
function refusedOtherwise({ header, exchanges }: ProbedTrace['trace']): string | null {
  const other = exchanges.filter(({ outcome }) => outcome === 'refused');
  const status = other[0]?.status;
  if (status === undefined || exchanges.some(({ outcome }) => outcome === 'limited')) return null;
  const count = other.filter((one) => one.status === status).length;
  const wanted = limitedStatusText(header.deployment.document);
  return (
    `no request was answered ${wanted}, and ${count} of ${exchanges.length} were answered ${status}. If that is how ` +
    `the limiter refuses, say so beside the limit: status: ${status}. If not, the endpoint fails.`
  );
}

function wordsOf(verdict: Judgement['clauses'][number]['verdict']): string {
  switch (verdict.kind) {
    case 'held':
      return verdict.summary;
    case 'observed':
      return verdict.value;
    case 'inconclusive':
    case 'not-applicable':
    case 'violated':
      return verdict.reason;
    case 'crashed':
      return `its judge crashed: ${verdict.message}`;
    default:
      return verdict satisfies never;
  }
}
