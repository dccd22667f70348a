import { attribute, caseElement, type JunitFile, junitXml, type TestCase } from './junit-xml.ts';
import type { ClauseResult, Report } from './result.ts';
import { layoutOf } from './terminal/layout.ts';
import { countsText } from './terminal/verdict-line.ts';
import { violationLines } from './terminal/violations.ts';
import { evidenceOf } from './verdict-text.ts';
import { deliveryLines } from './webhooks/delivery-lines.ts';

/** Room for the evidence's table; nobody reads a JUnit file in a terminal. */
const layout = layoutOf({ columns: 110, colour: 'never' });

/**
 * The report as JUnit XML, as CI systems read it: a suite for each section of the document, a test case for each clause.
 * A clause that decides and is inconclusive is an error with its reason, since JUnit has no word for it and a skipped
 * one looks like a pass; one that is a known deviation, or open because of one, is skipped.
 */
export function renderJunit(report: Report): string {
  return junitXml({
    name: report.tool.name,
    startedAt: report.startedAt,
    seconds: report.durationSeconds,
    properties: properties(report),
    suites: [
      ...clauseSuites(
        report.clauses,
        (clause) => borneCase(clause, report) ?? testCase(clause, violationLines),
      ),
      ...webhookSuites(report),
    ],
  });
}

/** Clauses on webhooks decide with the others; their suites say what they are about. */
function webhookSuites({ webhooks }: Report): JunitFile['suites'] {
  return clauseSuites(webhooks?.clauses ?? [], (clause) => testCase(clause, deliveryLines)).map(
    ({ name, cases }) => ({ name: `Webhooks: ${name}`, cases }),
  );
}

/** A suite for each section of the document. */
export function clauseSuites(
  clauses: readonly ClauseResult[],
  caseOf: (clause: ClauseResult) => TestCase,
): JunitFile['suites'] {
  const sections = [...new Set(clauses.map(({ section }) => section))];
  return sections.map((section) => ({
    name: section,
    cases: clauses.filter((clause) => clause.section === section).map(caseOf),
  }));
}

function properties(report: Report): Readonly<Record<string, string>> {
  return {
    outcome: report.outcome,
    summary: countsText(report),
    run: report.runId,
    target: report.deployment.baseUrls.join(' '),
    windowSeconds: String(report.window.ms / 1_000),
  };
}

/** What is known and borne neither passes nor fails; `null` for every other clause. */
function borneCase({ id, section, title, verdict }: ClauseResult, { baseline }: Report): TestCase | null {
  const known = baseline?.known.find(({ clause }) => clause === id);
  const because = verdict.kind === 'inconclusive' ? verdict.because : [];
  const isOpenByKnown =
    because.length > 0 && because.every((one) => baseline?.known.some(({ clause }) => clause === one));
  if (known === undefined && !isOpenByKnown) return null;
  const text =
    known === undefined
      ? evidenceOf(verdict)
      : `known until ${known.until}: ${known.reason}: ${evidenceOf(verdict)}`;
  return {
    fate: 'skipped',
    element: { ...caseElement(section, `${id}: ${title}`), skipped: { '@_message': attribute(text) } },
  };
}

/**
 * A clause as a test case.
 * @param details tells a violated clause in full.
 */
export function testCase(result: ClauseResult, details: typeof violationLines): TestCase {
  const { verdict } = result;
  const base = caseElement(result.section, `${result.id}: ${result.title}`);
  const message = { '@_message': attribute(evidenceOf(verdict)) };
  switch (verdict.kind) {
    case 'held':
    case 'observed':
      return { fate: 'passed', element: { ...base, 'system-out': attribute(evidenceOf(verdict)) } };
    case 'violated': {
      const text = details(result, layout).join('\n');
      if (result.level !== 'must')
        return { fate: 'passed', element: { ...base, 'system-out': `shortcoming: ${text}` } };
      const failure = { ...message, '@_type': attribute(verdict.reason), '#text': text };
      return { fate: 'failures', element: { ...base, failure } };
    }
    case 'inconclusive':
      if (result.level === 'must')
        return { fate: 'errors', element: { ...base, error: { ...message, '@_type': 'inconclusive' } } };
      return {
        fate: 'skipped',
        element: { ...base, skipped: { '@_message': attribute(`inconclusive: ${evidenceOf(verdict)}`) } },
      };
    case 'not-applicable':
      return {
        fate: 'skipped',
        element: { ...base, skipped: { '@_message': attribute(`not run: ${evidenceOf(verdict)}`) } },
      };
    case 'crashed':
      return { fate: 'errors', element: { ...base, error: { ...message, '@_type': 'crashed-judge' } } };
    default:
      throw new Error(`no test case for ${verdict satisfies never}`);
  }
}
