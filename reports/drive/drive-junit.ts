import { groups } from '../../contract/webhooks/drive/case.ts';
import { junitLayout, nameOf } from '../junit.ts';
import { junitXml, verdictCase } from '../junit-xml.ts';
import { caseWord, driveCountsText, driveWords, failureLines } from './case-text.ts';
import type { DriveReport } from './drive-result.ts';

/** The report on a receiver as JUnit XML: a suite for each group, a test case for each case; an open one is skipped. */
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
        cases: report.cases
          .filter((one) => one.group === group)
          .map((one) =>
            verdictCase({
              ...one,
              suite: group,
              name: nameOf(one),
              word: caseWord(one),
              details: () => failureLines(one, junitLayout),
              open: 'skipped',
            }),
          ),
      }))
      .filter(({ cases }) => cases.length > 0),
  });
}
