import type { ClauseResult } from './clause-result.ts';
import { type JunitFile, junitXml, skippedCase, type TestCase, verdictCase } from './junit-xml.ts';
import type { Report } from './result.ts';
import { type Layout, layoutOf } from './terminal/layout.ts';
import { countsText } from './terminal/verdict-line.ts';
import { violationLines } from './terminal/violations.ts';
import { evidenceOf, verdictWord } from './verdict-text.ts';
import { deliveryLines } from './webhooks/delivery-lines.ts';
import { otherProperties } from './webhooks/other-texts.ts';

/** Room for the table of the evidence; nobody reads a JUnit file in a terminal. */
export const junitLayout = layoutOf({ columns: 110, colour: 'never' });

/**
 * The report as JUnit XML, as CI systems read it: a suite for each section of the document, a test case for each clause.
 * A `must` clause that is inconclusive is an error with its reason, since a skipped test case looks like a pass. A clause
 * that the baseline accepts, or that is open because of such a clause, is skipped.
 */
export function renderJunit(report: Report): string {
  const accepted = (clause: ClauseResult): TestCase | null => acceptedCase(clause, report);
  return junitXml({
    name: report.tool.name,
    startedAt: report.startedAt,
    seconds: report.durationSeconds,
    properties: properties(report),
    suites: [
      ...clauseSuites(
        report.clauses,
        (clause) =>
          accepted(clause) ?? clauseCase(clause, (one, layout) => violationLines(one, report, layout)),
      ),
      ...deliverySuites(report.webhooks?.clauses ?? [], accepted).map(({ name, cases }) => ({
        name: `Webhooks: ${name}`,
        cases,
      })),
    ],
  });
}

/** Clauses on webhooks, a suite for each section of the document; those that are `accepted` as their test cases say. */
export function deliverySuites(
  clauses: readonly ClauseResult[],
  accepted: (clause: ClauseResult) => TestCase | null = () => null,
): JunitFile['suites'] {
  return clauseSuites(clauses, (clause) => accepted(clause) ?? clauseCase(clause, deliveryLines));
}

function clauseSuites(
  clauses: readonly ClauseResult[],
  caseOf: (clause: ClauseResult) => TestCase,
): JunitFile['suites'] {
  const bySection = Map.groupBy(clauses, ({ section }) => section);
  return [...bySection].map(([name, own]) => ({ name, cases: own.map(caseOf) }));
}

function properties(report: Report): Readonly<Record<string, string>> {
  return {
    outcome: report.outcome,
    summary: countsText(report),
    run: report.runId,
    target: report.deployment.baseUrls.join(' '),
    windowSeconds: String(report.window.ms / 1_000),
    ...otherProperties(report.webhooks),
  };
}

/** A clause that the baseline accepts neither passes nor fails; `null` for every other clause. */
function acceptedCase({ id, section, title, verdict }: ClauseResult, { baseline }: Report): TestCase | null {
  const known = baseline?.known.find(({ clause }) => clause === id);
  const because = verdict.kind === 'inconclusive' ? verdict.because : [];
  const isOpenByKnown =
    because.length > 0 && because.every((one) => baseline?.known.some(({ clause }) => clause === one));
  if (known === undefined && !isOpenByKnown) return null;
  const evidence = evidenceOf(verdict);
  const text = known === undefined ? evidence : `accepted until ${known.until}: ${known.reason}: ${evidence}`;
  return skippedCase({ suite: section, name: nameOf({ id, title }), text });
}

function clauseCase(
  clause: ClauseResult,
  linesOf: (clause: ClauseResult, layout: Layout) => readonly string[],
): TestCase {
  return verdictCase({
    ...clause,
    suite: clause.section,
    name: nameOf(clause),
    word: verdictWord(clause),
    details: () => linesOf(clause, junitLayout),
    open: 'errors',
  });
}

/** What a test case of a clause or of a case is called. */
export function nameOf({ id, title }: { readonly id: string; readonly title: string }): string {
  return `${id}: ${title}`;
}
