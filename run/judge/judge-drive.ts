import { parseDriveTrace } from '../../contract/webhooks/drive/trace.ts';
import { judgeDrive } from '../../judge/webhooks/drive/judge-drive.ts';
import { buildDriveReport } from '../../reports/drive/build-drive-report.ts';
import { drivePage } from '../../reports/webhooks/page/drive-page.ts';
import type { JudgedTrace } from './judged.ts';
import { notJudged, parsedFile, type TraceFile } from './trace-file.ts';

/**
 * Judges a receiver by what it answered.
 * @throws {UsageError} where the file is no such trace; names the line.
 */
export async function judgeDriven(file: TraceFile): Promise<JudgedTrace<'drive'>> {
  const trace = parsedFile(file, parseDriveTrace, notJudged);
  const judgedAt = new Date().toISOString();
  const report = buildDriveReport({ trace, judgement: judgeDrive(trace), judgedAt });
  const { deliveries } = trace;
  return { kind: 'drive', report, page: (folder) => drivePage({ report, deliveries, folder }) };
}
