import { evidenceText } from '../../checks/evidence-text.ts';
import { clauseIn } from '../../contract/clauses/of-document.ts';
import { greatestOf } from '../../contract/extremes.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { Probed } from './look-at.ts';

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
export function conclude({ trace, stopped }: Probed, { clauses }: Judgement): Conclusion {
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
  if (stopped !== null) return { kind: 'not-asked', text: stopped };
  const slowestMs = greatestOf(
    trace.exchanges.map(({ sentMs, receivedMs }) => (receivedMs ?? sentMs) - sentMs),
  );
  const text = open.map(({ clause, verdict }) => `${clause}: ${wordsOf(verdict)}`).join('\n');
  return { kind: 'undecided', text, slowestMs };
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
