import XMLBuilder from 'fast-xml-builder';
import { plainText } from './plain-text.ts';
import type { ClauseResult, Report } from './result.ts';
import { layoutOf } from './terminal/layout.ts';
import { countsText } from './terminal/verdict-line.ts';
import { violationLines } from './terminal/violations.ts';
import { evidenceOf } from './verdict-text.ts';

/** Room for the evidence's table; nobody reads a JUnit file in a terminal. */
const layout = layoutOf({ columns: 110, colour: 'never' });
const messageCharactersMax = 600;

type Element = Readonly<Record<string, unknown>>;
type TestCase = { readonly fate: 'passed' | 'failures' | 'errors' | 'skipped'; readonly element: Element };

/**
 * The report as JUnit XML, as CI systems read it: a suite for each section of the document, a test case for each clause.
 * An inconclusive clause is skipped with its reason: JUnit has no word for it, and the exit status tells.
 */
export function renderJunit(report: Report): string {
  const sections = [...new Set(report.clauses.map(({ section }) => section))];
  const all = report.clauses.map(testCase);
  const xml = new XMLBuilder({
    ignoreAttributes: false,
    format: true,
    suppressEmptyNode: true,
    suppressBooleanAttributes: false,
  }).build({
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    testsuites: {
      '@_name': attribute(report.tool.name),
      ...totals(all),
      '@_time': String(report.durationSeconds),
      testsuite: sections.map((section) => {
        const cases = report.clauses.filter((clause) => clause.section === section).map(testCase);
        return {
          '@_name': attribute(section),
          ...totals(cases),
          '@_time': '0',
          '@_timestamp': attribute(report.startedAt),
          properties: { property: properties(report) },
          testcase: cases.map(({ element }) => element),
        };
      }),
    },
  });
  return xml.endsWith('\n') ? xml : `${xml}\n`;
}

function totals(cases: readonly TestCase[]): Element {
  const count = (fate: TestCase['fate']) => String(cases.filter((one) => one.fate === fate).length);
  return {
    '@_tests': String(cases.length),
    '@_failures': count('failures'),
    '@_errors': count('errors'),
    '@_skipped': count('skipped'),
  };
}

function properties(report: Report): readonly Element[] {
  const entries = {
    outcome: report.outcome,
    summary: countsText(report),
    run: report.runId,
    target: report.deployment.baseUrls.join(' '),
    windowSeconds: String(report.window.ms / 1_000),
  };
  return Object.entries(entries).map(([name, value]) => ({ '@_name': name, '@_value': attribute(value) }));
}

function testCase(result: ClauseResult): TestCase {
  const { verdict } = result;
  const base = {
    '@_classname': attribute(result.section),
    '@_name': attribute(`${result.id}: ${result.title}`),
    '@_time': '0',
  };
  const message = { '@_message': attribute(evidenceOf(verdict)) };
  switch (verdict.kind) {
    case 'held':
    case 'observed':
      return { fate: 'passed', element: { ...base, 'system-out': attribute(evidenceOf(verdict)) } };
    case 'violated': {
      const text = violationLines(result, layout).join('\n');
      if (result.level !== 'must')
        return { fate: 'passed', element: { ...base, 'system-out': `shortcoming: ${text}` } };
      const failure = { ...message, '@_type': attribute(verdict.reason), '#text': text };
      return { fate: 'failures', element: { ...base, failure } };
    }
    case 'inconclusive':
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

/** Text for an attribute or a line: what XML 1.0 cannot hold at all is spelled out. */
function attribute(text: string): string {
  return plainText(text, messageCharactersMax);
}
