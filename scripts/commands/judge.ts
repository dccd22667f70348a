import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { kindOfTrace } from '../../contract/ndjson.ts';
import type { Baseline } from '../../reports/baseline/baseline.ts';
import { formatClientReport } from '../../reports/clients/client-report.ts';
import { exitCodes, type RunOutcome } from '../../reports/outcome.ts';
import { loadBaseline } from '../../run/judge/baseline-file.ts';
import { judgeCaptureText, writeCaptureReports } from '../../run/judge/judge-capture.ts';
import { judgeClientText } from '../../run/judge/judge-client-text.ts';
import { judgeDriveText, writeDriveReports } from '../../run/judge/judge-drive-text.ts';
import { judgeFile, judgeMerged, readTrace, traceFileName, traceIn } from '../../run/judge/judge-file.ts';
import { writeReports } from '../../run/judge/write-reports.ts';
import { createRunDirectory } from '../../run/record/run-directory.ts';
import { takeSecrets } from '../../run/target/take-secrets.ts';
import { addBaselineOptions, type KeepingFlags, namedBaseline } from '../options/keeping-options.ts';
import { list } from '../options/target-options.ts';
import type { CommandIo } from './command-io.ts';
import { writeCaptureReport, writeClientReport, writeDriveReport, writeReport } from './report-output.ts';

type JudgeFlags = Pick<KeepingFlags, 'baseline'> & {
  readonly out?: string;
  readonly json?: true;
  readonly secretEnv?: readonly string[];
  readonly each?: true;
  readonly clockOffset: number;
};

/** What several traces come to together: the worst of them. */
const worstFirst: readonly RunOutcome[] = ['error', 'not-conformant', 'inconclusive', 'conformant'];

/** `conformance judge`: saved traces, judged again; nothing is sent. */
export function judgeCommand(io: CommandIo): Command {
  const command = new Command('judge')
    .description('judge saved traces again, several of them as one; sends nothing')
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
    .option('--each', 'judge each trace by itself instead of all together')
    .option(
      '--clock-offset <ms>',
      'how far the clocks of two machines may be apart, where traces of several are judged as one',
      millisecondsOf,
      clockOffsetDefaultMs,
    )
    .option('--json', 'write report.json to standard output, one after another, and nothing else');
  return addBaselineOptions(command).action(async (traces: readonly string[], flags: JudgeFlags) => {
    const outcomes: RunOutcome[] = [];
    const baseline = await loadBaseline(namedBaseline(flags), io.cwd);
    const secrets = flags.secretEnv === undefined ? [] : takeSecrets(flags.secretEnv, io.env);
    const judging = { ...flags, baseline, secrets };
    const paths = await Promise.all(traces.map((trace) => traceIn(resolve(io.cwd, trace))));
    const files = await Promise.all(paths.map(async (path) => ({ path, text: await readTrace(path) })));
    if (files.length > 1 && flags.each !== true && files.every(isOfDeployment)) {
      outcomes.push(await judgeTogether(io, files, judging));
    } else {
      for (const { path } of files) outcomes.push(await judgeOne(io, path, judging));
    }
    io.exit(exitCodes[worstFirst.find((outcome) => outcomes.includes(outcome)) ?? 'error']);
  });
}

type Judging = Omit<JudgeFlags, 'baseline' | 'each' | 'secretEnv'> & {
  readonly baseline: Baseline | null;
  readonly secrets: readonly string[];
};

type TraceFile = { readonly path: string; readonly text: string };

function isOfDeployment({ text }: TraceFile): boolean {
  return (kindOfTrace(text) ?? 'deployment') === 'deployment';
}

/** Machines that keep time by NTP are closer than this; who knows more can say less. */
const clockOffsetDefaultMs = 1_000;

function millisecondsOf(value: string): number {
  if (!/^\d{1,6}$/.test(value)) {
    throw new InvalidArgumentError('It must be a whole number of milliseconds, e.g. 500.');
  }
  return Number(value);
}

async function judgeTogether(
  io: CommandIo,
  files: readonly TraceFile[],
  { out, json, baseline, clockOffset }: Judging,
): Promise<RunOutcome> {
  const { report } = judgeMerged({ files, clockOffsetMsMax: clockOffset }, { baseline, past: [] });
  if (out !== undefined) {
    const folder = await createRunDirectory(resolve(io.cwd, out), Date.parse(report.startedAt));
    await writeReports(folder, { report, past: [] });
  }
  writeReport(io, report, json === true ? 'json' : 'text');
  return report.outcome;
}

/** By its first line a trace says whether it is of a deployment, of a client, of deliveries to a receiver, or of a driven one. */
async function judgeOne(io: CommandIo, path: string, judging: Judging): Promise<RunOutcome> {
  const { out, json, baseline, secrets } = judging;
  const format = json === true ? 'json' : 'text';
  const folderFor = (startedAt: string): Promise<string> | null =>
    out === undefined ? null : createRunDirectory(resolve(io.cwd, out), Date.parse(startedAt));
  const text = await readTrace(path);
  const kind = kindOfTrace(text);
  if (kind === 'client') {
    const report = judgeClientText(path, text);
    const folder = await folderFor(report.startedAt);
    if (folder !== null) await writeFile(join(folder, 'report.json'), formatClientReport(report));
    writeClientReport(io, report, format);
    return report.outcome;
  }
  if (kind === 'capture') {
    const report = judgeCaptureText(text, { path, secrets, beside: null });
    const folder = await folderFor(report.startedAt);
    if (folder !== null) await writeCaptureReports(folder, report);
    writeCaptureReport(io, report, format);
    return report.outcome;
  }
  if (kind === 'drive') {
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
