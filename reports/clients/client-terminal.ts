import { scopes } from '../../contract/scopes.ts';
import { plainText } from '../plain-text.ts';
import { clauseTable } from '../terminal/clause-table.ts';
import { type Layout, layoutOf, type TerminalOptions, wrap } from '../terminal/layout.ts';
import { lastLine, outcomeWords } from '../terminal/verdict-line.ts';
import { clientViolations } from './client-evidence.ts';
import type { ClientReport } from './client-report.ts';

/** A report on a client as text for people: the clauses, what is violated with its evidence, the verdict last. */
export function renderClientTerminal(report: ClientReport, options: TerminalOptions): string {
  const layout = layoutOf(options);
  const lines = [
    `a client at the proving ground, ${report.requests} requests`,
    `run ${plainText(report.runId, 60)}, ${plainText(report.startedAt, 40)}, by ${plainText(report.tool.name, 60)} ${plainText(report.tool.version, 40)}`,
    // Where nobody came, eight open clauses would only hide the reason.
    ...(report.requests === 0 ? [] : body(report, layout)),
    '',
    ...report.outcomeReasons.flatMap((reason) => wrap(`${reason}.`, layout.columns)),
    lastLine(report, outcomeWords[report.outcome], layout),
  ];
  return `${lines.join('\n')}\n`;
}

function body(report: ClientReport, layout: Layout): readonly string[] {
  return [
    ...clauseTable(report, layout),
    ...clientViolations(report, layout),
    '',
    ...wrap(premises(report), layout.columns).map((line) => layout.paint('dim', line)),
  ];
}

function premises({ limits, windowMs, lessons }: ClientReport): string {
  const rates = scopes.map((scope) => `${scope} ${limits[scope]}`).join(', ');
  const of = (lesson: string): string =>
    Object.entries(lessons)
      .filter(([, one]) => one === lesson)
      .map(([key]) => key)
      .join(', ');
  return (
    `Limits: ${rates} in any ${windowMs / 1_000} s, for each key. Key ${of('limits')} kept them from the start, key ` +
    `${of('refusals')} was refused everything at first. All times are the service’s own. A request is known again by its ` +
    'Idempotency-Key, or where it has none by method, path and body, if these differ from request to request. ' +
    'Allowed for: a client’s clock 400 ppm off in rate and 1 ms coarse.'
  );
}
