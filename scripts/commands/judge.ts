import { resolve } from 'node:path';
import { Command } from 'commander';
import { kindOfTrace } from '../../contract/ndjson.ts';
import { exitCodes, type RunOutcome } from '../../reports/outcome.ts';
import { loadBaseline } from '../../run/judge/baseline-file.ts';
import { judgeFile, judgeMerged } from '../../run/judge/judge-file.ts';
import type { Judged } from '../../run/judge/judged.ts';
import { readTrace, type TraceFile, traceFileName, traceIn } from '../../run/judge/trace-file.ts';
import { writeReports } from '../../run/judge/write-reports.ts';
import { createRunDirectory } from '../../run/record/run-directory.ts';
import { takeSecrets } from '../../run/target/take-secrets.ts';
import { addBaselineOptions, type KeepingFlags, namedBaseline } from '../options/keeping-options.ts';
import { list, millisecondsOf } from '../options/values.ts';
import type { CommandIo } from './command-io.ts';
import { writeReport } from './report-output.ts';

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
    const baseline = await loadBaseline(namedBaseline(flags), io.cwd);
    const secrets = flags.secretEnv === undefined ? [] : takeSecrets(flags.secretEnv, io.env);
    const judging = { baseline, past: [], secrets };
    const paths = await Promise.all(traces.map((trace) => traceIn(resolve(io.cwd, trace))));
    const files = await Promise.all(paths.map(readTrace));
    const outcomes: RunOutcome[] = [];
    const show = async (judged: Judged): Promise<void> => {
      await writeJudged(io, judged, flags);
      outcomes.push(judged.report.outcome);
    };
    if (files.length > 1 && flags.each !== true && files.every(isOfDeployment)) {
      await show(judgeMerged({ files, clockOffsetMsMax: flags.clockOffset }, judging));
    } else {
      for (const file of files) await show(await judgeFile(file, judging));
    }
    io.exit(exitCodes[worstFirst.find((outcome) => outcomes.includes(outcome)) ?? 'error']);
  });
}

/** What is no trace at all counts too: it is refused as one of a deployment. */
function isOfDeployment({ text }: TraceFile): boolean {
  return (kindOfTrace(text) ?? 'deployment') === 'deployment';
}

/** Machines that keep time by NTP are closer than this; who knows more can say less. */
const clockOffsetDefaultMs = 1_000;

async function writeJudged(io: CommandIo, judged: Judged, { out, json }: JudgeFlags): Promise<void> {
  if (out !== undefined) {
    const startedAtMs = Date.parse(judged.report.startedAt);
    await writeReports(await createRunDirectory(resolve(io.cwd, out), startedAtMs), judged);
  }
  writeReport(io, judged, json === true ? 'json' : 'text');
}
