import { groups } from '../../contract/webhooks/drive/case.ts';
import { attribute, caseElement, junitXml, type TestCase } from '../junit-xml.ts';
import { layoutOf } from '../terminal/layout.ts';
import type { CaseResult, DriveReport } from './drive-result.ts';
import { caseEvidence, driveCountsText, driveWords } from './drive-words.ts';
import { failureLines } from './failure-lines.ts';

const layout = layoutOf({ columns: 110, colour: 'never' });

/** The report on a receiver as JUnit XML: a suite for each group, a test case for each case. */
export function renderDriveJunit(report: DriveReport): string {
  return junitXml({
    name: report.tool.name,
    startedAt: report.startedAt,
    seconds: report.durationSeconds,
    properties: {
      outcome: driveWords[report.outcome],
      summary: driveCountsText(report),
      run: report.runId,
      target: report.target,
    },
    suites: groups
      .map((group) => ({
        name: group,
        cases: report.cases.filter((one) => one.group === group).map(testCase),
      }))
      .filter(({ cases }) => cases.length > 0),
  });
}

function testCase(result: CaseResult): TestCase {
  const base = caseElement(result.group, `${result.id}: ${result.title}`);
  const evidence = attribute(caseEvidence(result));
  const { verdict } = result;
  switch (verdict.kind) {
    case 'held':
      return { fate: 'passed', element: { ...base, 'system-out': evidence } };
    case 'violated': {
      const text = failureLines(result, layout).join('\n');
      if (result.level !== 'must')
        return { fate: 'passed', element: { ...base, 'system-out': `shortcoming: ${text}` } };
      const failure = { '@_message': evidence, '@_type': attribute(verdict.reason), '#text': text };
      return { fate: 'failures', element: { ...base, failure } };
    }
    case 'inconclusive':
      return { fate: 'skipped', element: { ...base, skipped: { '@_message': `open: ${evidence}` } } };
    case 'not-applicable':
      return { fate: 'skipped', element: { ...base, skipped: { '@_message': `not assessed: ${evidence}` } } };
    case 'crashed':
      return {
        fate: 'errors',
        element: { ...base, error: { '@_message': evidence, '@_type': 'crashed-judge' } },
      };
    default:
      throw new Error(`no test case for ${verdict satisfies never}`);
  }
}
