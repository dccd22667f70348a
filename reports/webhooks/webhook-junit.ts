import { deliverySuites } from '../junit.ts';
import { junitXml } from '../junit-xml.ts';
import { countsText } from '../terminal/verdict-line.ts';
import { otherProperties } from './other-texts.ts';
import type { WebhookReport } from './webhook-result.ts';

/** A report on deliveries as JUnit XML: a suite for each section of the document, a test case for each clause. */
export function renderWebhookJunit(report: WebhookReport): string {
  return junitXml({
    name: `${report.tool.name} webhooks`,
    startedAt: report.startedAt,
    seconds: report.durationSeconds,
    properties: {
      outcome: report.outcome,
      summary: countsText(report),
      run: report.runId,
      receiver: report.url,
      deliveries: String(report.deliveries.total),
      ...otherProperties(report),
    },
    suites: deliverySuites(report.clauses),
  });
}
