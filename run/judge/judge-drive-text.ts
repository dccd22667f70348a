import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TraceError } from '../../contract/ndjson.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { parseDriveTrace } from '../../contract/webhooks/drive/trace.ts';
import { judgeDrive } from '../../judge/webhooks/drive/judge-drive.ts';
import { buildDriveReport } from '../../reports/drive/build-drive-report.ts';
import { renderDriveJunit } from '../../reports/drive/drive-junit.ts';
import { type DriveReport, formatDriveReport } from '../../reports/drive/drive-result.ts';

/**
 * Judges the saved trace of a driven receiver.
 * @throws {UsageError} where the text is no such trace; names the line.
 */
export function judgeDriveText(path: string, text: string): DriveReport {
  try {
    const trace = parseDriveTrace(text);
    return buildDriveReport({ trace, judgement: judgeDrive(trace), judgedAt: new Date().toISOString() });
  } catch (error) {
    if (error instanceof TraceError)
      throw new UsageError(`${path} is no trace that can be judged: ${error.message}.`);
    throw error;
  }
}

/** `report.json` and `junit.xml` into an existing folder. */
export async function writeDriveReports(folder: string, report: DriveReport): Promise<void> {
  await writeFile(join(folder, 'report.json'), formatDriveReport(report));
  await writeFile(join(folder, 'junit.xml'), renderDriveJunit(report));
}
