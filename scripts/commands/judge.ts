import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { isClientTrace } from '../../contract/clients/trace.ts';
import { isDriveTrace } from '../../contract/webhooks/drive/trace.ts';
import { isWebhookTrace } from '../../contract/webhooks/trace.ts';
import type { Baseline } from '../../reports/baseline/baseline.ts';
import { formatClientReport } from '../../reports/clients/client-report.ts';
import type { RunOutcome } from '../../reports/outcome.ts';
import { exitCodes } from '../../reports/outcome.ts';
import { judgeClientText, writeClientReport } from '../clients/judge-client-text.ts';
import { judgeFile, readTrace, traceFileName } from '../run/judge-file.ts';
import { createRunDirectory } from '../run/run-directory.ts';
import { traceIn } from '../run/trace-in.ts';
import { writeReports } from '../run/write-reports.ts';
import { loadBaseline } from '../settings/baseline-file.ts';
import { takeSecret } from '../settings/take-secret.ts';
import { list } from '../settings/target-options.ts';
import { judgeCaptureText, writeCaptureReport, writeCaptureReports } from '../webhooks/judge-capture.ts';
import { judgeDriveText, writeDriveReport, writeDriveReports } from '../webhooks/judge-drive-text.ts';
import type { CommandIo } from './command-io.ts';
import { addBaselineOptions, type KeepingFlags, namedBaseline } from './keeping-options.ts';
import { writeReport } from './report-output.ts';

type JudgeFlags = Pick<KeepingFlags, 'baseline'> & {
  readonly out?: string;
  readonly json?: true;
  readonly secretEnv?: readonly string[];
};

/** What several traces come to together: the worst of them. */
const worstFirst: readonly RunOutcome[] = ['error', 'not-conformant', 'inconclusive', 'conformant'];

/** `conformance judge`: saved traces, judged again; nothing is sent. */
export function judgeCommand(io: CommandIo): Command {
  const command = new Command('judge')
    .description('judge saved traces again; sends nothing')
    .argument('<traces...>', `a ${traceFileName} each, or the folder of one`)
    .option(
      '--out <folder>',
      'write report.json and all that is rendered from it too, into a folder for each run',
    )
    .option(
      '--secret-env <names>',
      'variables that hold the secrets of webhooks, for a trace of deliveries',
      list,
    )
    .option('--json', 'write report.json to standard output, one after another, and nothing else');
  return addBaselineOptions(command).action(async (traces: readonly string[], flags: JudgeFlags) => {
    const outcomes: RunOutcome[] = [];
    const baseline = await loadBaseline(namedBaseline(flags), io.cwd);
    const secrets = (flags.secretEnv ?? []).map((name) => takeSecret(name, '--secret-env', io.env));
    for (const trace of traces) {
      const path = await traceIn(resolve(io.cwd, trace));
      outcomes.push(await judgeOne(io, path, { ...flags, baseline, secrets }));
    }
    io.exit(exitCodes[worstFirst.find((outcome) => outcomes.includes(outcome)) ?? 'error']);
  });
}

type Judging = Pick<JudgeFlags, 'out' | 'json'> & {
  readonly baseline: Baseline | null;
  readonly secrets: readonly string[];
};

/** By its first line a trace says whether it is of a deployment, of a client, of deliveries to a receiver, or of a driven one. */
async function judgeOne(io: CommandIo, path: string, judging: Judging): Promise<RunOutcome> {
  const { out, json, baseline, secrets } = judging;
  const format = json === true ? 'json' : 'text';
  const folderFor = (startedAt: string): Promise<string> | null =>
    out === undefined ? null : createRunDirectory(resolve(io.cwd, out), Date.parse(startedAt));
  const text = await readTrace(path);
  if (isClientTrace(text)) {
    const report = judgeClientText(path, text);
    const folder = await folderFor(report.startedAt);
    if (folder !== null) await writeFile(join(folder, 'report.json'), formatClientReport(report));
    writeClientReport(io, report, format);
    return report.outcome;
  }
  if (isWebhookTrace(text)) {
    const report = judgeCaptureText(text, { path, secrets, beside: null });
    const folder = await folderFor(report.startedAt);
    if (folder !== null) await writeCaptureReports(folder, report);
    writeCaptureReport(io, report, format);
    return report.outcome;
  }
  if (isDriveTrace(text)) {
    const report = judgeDriveText(path, text);
    const folder = await folderFor(report.startedAt);
    if (folder !== null) await writeDriveReports(folder, report);
    writeDriveReport(io, report, format);
    return report.outcome;
  }
  const { report } = await judgeFile(path, { baseline, past: [] });
  const folder = await folderFor(report.startedAt);
  if (folder !== null) await writeReports(folder, { report, past: [] });
  writeReport(io, report, format);
  return report.outcome;
}
