import { type ClauseResult, decidingOf } from './clause-result.ts';
import { failureText } from './failure-text.ts';
import { outcomeText } from './outcome.ts';
import { plainText } from './plain-text.ts';
import type { Report } from './result.ts';
import { countsText } from './terminal/verdict-line.ts';
import { evidenceOf } from './verdict-text.ts';

/** GitHub shows ten of each kind for a step: https://docs.github.com/en/rest/checks/runs. */
const shownMax = 9;

const textCharactersMax = 1_000;

type Kind = 'error' | 'warning' | 'notice';

/**
 * What GitHub is to show beside a commit, as commands of its workflows, a line each: the verdict, each violation, and what
 * stays open. A violation that the baseline accepts, or of a `should`, is a warning.
 */
export function renderAnnotations(report: Report): string {
  const all = decidingOf(report);
  const known = new Set(report.baseline?.known.map(({ clause }) => clause));
  const violated = all.filter(({ verdict }) => verdict.kind === 'violated');
  const deciding = violated.filter(({ id, level }) => level === 'must' && !known.has(id));
  const open = all.filter(
    ({ level, verdict }) =>
      level === 'must' && (verdict.kind === 'inconclusive' || verdict.kind === 'crashed'),
  );
  return [
    annotation('notice', `Rate limits: ${outcomeText(report)}`, countsText(report)),
    ...annotations('error', deciding, report),
    ...annotations(
      'warning',
      violated.filter((one) => !deciding.includes(one)),
      report,
    ),
    ...(open.length === 0 ? [] : [annotation('warning', 'Not decided', idsOf(open))]),
    ...report.outcomeReasons.map((reason) => annotation('notice', 'Rate limits', reason)),
  ].join('');
}

/** For a step that has no report to show. */
export function missingReport(reason: string): string {
  return annotation('error', 'Rate limits: no report', reason);
}

function annotations(
  kind: Kind,
  results: readonly ClauseResult[],
  { deployment }: Report,
): readonly string[] {
  const shown = results.length > shownMax ? results.slice(0, shownMax - 1) : results;
  const rest = results.slice(shown.length);
  return [
    ...shown.map((result) => {
      const { title, consequence = '' } = failureText(result, deployment.document);
      return annotation(kind, title, `${result.id}: ${evidenceOf(result.verdict)}. ${consequence}`.trim());
    }),
    ...(rest.length === 0 ? [] : [annotation(kind, `${rest.length} more`, idsOf(rest))]),
  ];
}

function idsOf(results: readonly ClauseResult[]): string {
  return results.map(({ id }) => id).join(', ');
}

/** A command of a workflow. What the service has said in it cannot end it, nor begin another. */
function annotation(kind: Kind, title: string, text: string): string {
  const escaped = (raw: string): string => plainText(raw, textCharactersMax).replaceAll('%', '%25');
  return `::${kind} title=${escaped(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escaped(text)}\n`;
}
