import { plainText } from './plain-text.ts';
import type { Report } from './result.ts';
import { clauseTable } from './terminal/clause-table.ts';
import { identifiedLines } from './terminal/identified.ts';
import { type Layout, layoutOf, wrap } from './terminal/layout.ts';
import { measures } from './terminal/measures.ts';
import { verdictLines } from './terminal/verdict-line.ts';
import { violationDetails } from './terminal/violations.ts';

export type TerminalOptions = {
  /** Width of the terminal, in characters; at least 80 are used. */
  readonly columns: number;
  readonly colour: 'always' | 'never';
};

/** A report as text for people: clauses by section, violations in full, measures, and the verdict in the last line. */
export function renderTerminal(report: Report, options: TerminalOptions): string {
  const layout = layoutOf(options);
  const body = somethingJudged(report)
    ? [
        ...clauseTable(report, layout),
        ...violationDetails(report, layout),
        ...measures(report, layout),
        ...identifiedLines(report, layout),
        '',
        ...premises(report, layout),
      ]
    : [];
  return `${[...heading(report), ...body, ...verdictLines(report, layout)].join('\n')}\n`;
}

/** Where a run broke off before any limit was reached, forty open clauses would only hide the reason. */
function somethingJudged({ complete, clauses, groups }: Report): boolean {
  const violated = clauses.some(({ verdict }) => verdict.kind === 'violated');
  return complete || violated || groups.some(({ limited }) => limited > 0);
}

function heading({ tool, runId, startedAt, deployment, mode }: Report): readonly string[] {
  const targets = deployment.baseUrls.join(', ');
  return [
    `${deployment.name === undefined ? '' : `${plainText(deployment.name, 80)} at `}${plainText(targets, 300)}`,
    `run ${plainText(runId, 60)}, ${plainText(startedAt, 40)}, ${mode}, by ${plainText(tool.name, 60)} ${plainText(tool.version, 40)}`,
  ];
}

/** The readings and bounds under which the verdicts were reached. */
function premises({ deployment, bounds }: Report, layout: Layout): readonly string[] {
  const perSecond = {
    average: 'the minute’s average (perSecond: average)',
    cap: 'caps of their own (perSecond: cap)',
    unset: 'the minute’s average unless only a cap explains the answers (perSecond is not set)',
  }[deployment.perSecond ?? 'unset'];
  const text =
    `Read as: "2 per second" and "5 per second burst" are ${perSecond}; ` +
    `the keys ${deployment.exclusiveKeys ? 'have no other user' : 'may have other users'}; ` +
    `the service’s clock may be ${deployment.clockSkewSecondsMax} s off. ` +
    `Allowed for: clocks ${ppm(bounds.clockRate)} apart in rate, a service clock of ${bounds.clockResolutionMs} ms, ` +
    `${bounds.granularityMs / 1_000} s for limiters that count in whole seconds, our own clock’s corrections up to ` +
    `${bounds.clockStepMs} ms and ${ppm(bounds.clockSlew)}.`;
  return wrap(text, layout.columns).map((line) => layout.paint('dim', line));
}

function ppm(fraction: number): string {
  return `${Math.round(fraction * 1e6)} ppm`;
}
