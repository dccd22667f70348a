import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { kindOfTrace } from '../../contract/ndjson.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { exitCodes, type RunOutcome } from '../../reports/outcome.ts';
import { loadBaseline } from '../../run/judge/baseline-file.ts';
import { judgeAsOne, judgeFile } from '../../run/judge/judge-file.ts';
import type { JudgedTrace, Unwritten } from '../../run/judge/judged.ts';
import { documentAlone } from '../../run/judge/judging.ts';
import { pageFileName } from '../../run/judge/report-file-names.ts';
import { readTrace, type TraceFile, traceFileName, traceIn } from '../../run/judge/trace-file.ts';
import { addBaselineOptions, type KeepingFlags, namedBaseline } from '../options/keeping-options.ts';
import { addLengthOptions, formatOf, type OutputFlags } from '../options/output-options.ts';
import { addPartialOption, type PartialFlags, partialRunsOf } from '../options/partial-option.ts';
import { list, millisecondsOf, wholeNumber } from '../options/values.ts';
import type { CommandIo } from './command-io.ts';
import { exitWith, pageLine, writeReport } from './report-output.ts';

type JudgeFlags = Pick<KeepingFlags, 'baseline'> &
  PartialFlags &
  OutputFlags & {
    readonly out?: string;
    readonly secretEnv?: readonly string[];
    readonly each?: true;
    readonly stdin?: true;
    readonly identify?: true;
    readonly clockOffset: number;
    readonly shards?: number;
  };

/** Several traces have the worst outcome of any of them. */
const worstFirst: readonly RunOutcome[] = ['error', 'not-conformant', 'inconclusive', 'conformant'];

/** `conformance judge`: judges saved traces again; sends nothing. */
export function judgeCommand(io: CommandIo): Command {
  const command = new Command('judge')
    .description('judge saved traces again, several of them as one; sends nothing')
    .argument('[traces...]', `a ${traceFileName}, or its folder`)
    .option(
      '--out <folder>',
      'also write report.json and everything rendered from it, into a folder for each run',
    )
    .option(
      '--secret-env <names>',
      'environment variables that hold the webhook secrets, for a trace of webhooks',
      list,
    )
    .option('--identify', 'say which limiters the traces tell of, each trace alone, and judge nothing')
    .option('--stdin', 'judge the trace that another program writes to standard input')
    .option('--each', 'judge each trace alone instead of all as one')
    .option(
      '--clock-offset <ms>',
      'largest difference between the clocks of two machines, for traces that are judged as one',
      millisecondsOf,
      clockOffsetDefaultMs,
    )
    .option(
      '--shards <n>',
      'how many threads judge a trace together: two from about 500 requests on, all cores from 8 MB on where many limiters are to be identified, else one. The report is the same. Where none is made, one thread gives the verdicts',
      shardsOf,
    )
    .option('--json', 'write report.json to standard output, one after another, and nothing else');
  addLengthOptions(command);
  return addPartialOption(addBaselineOptions(command)).action(
    async (traces: readonly string[], flags: JudgeFlags) => {
      const files = await filesOf(io, traces, flags);
      const isLong = files.some(({ rows }) => rows !== undefined);
      if (isLong || flags.identify === true) io.takesLong();
      if (flags.identify === true) {
        const { identifyTraces } = await import('./judge-identify.ts');
        identifyTraces(io, files, flags);
        return;
      }
      const baseline = await loadBaseline(namedBaseline(flags), io.cwd);
      const secrets = await secretsOf(io, flags);
      const judging = {
        ...documentAlone,
        baseline,
        secrets,
        partialRuns: partialRunsOf(flags),
        shards: flags.shards,
        verdictsAlone: areVerdictsAlone(flags),
      };
      // Who wants verdicts alone wants them soon.
      if (isLong && !judging.verdictsAlone) io.holdsMuch();
      const outcomes: RunOutcome[] = [];
      const lost: Unwritten[] = [];
      const show = async (judged: JudgedTrace): Promise<void> => {
        const { report, unwritten = [] } = await writeJudged(io, judged, flags);
        outcomes.push(report.outcome);
        lost.push(...unwritten);
      };
      if (files.length > 1 && flags.each !== true && files.every(isOfDeployment)) {
        await show(await judgeAsOne({ files, clockOffsetMsMax: flags.clockOffset }, judging));
      } else {
        for (const file of files) await show(await judgeFile(file, judging));
      }
      exitWith(io, exitCodes[worstFirst.find((outcome) => outcomes.includes(outcome)) ?? 'error'], lost);
    },
  );
}

/** Loaded where secrets are named: what takes them makes keys too, by Node's cryptography, which is slow to load. */
async function secretsOf({ env }: CommandIo, { secretEnv }: JudgeFlags): Promise<readonly string[]> {
  if (secretEnv === undefined) return [];
  const { takeSecrets } = await import('../../run/target/take-secrets.ts');
  return takeSecrets(secretEnv, env);
}

/** Whether nothing is shown or written but what decides. */
function areVerdictsAlone(flags: JudgeFlags): boolean {
  return flags.out === undefined && ['summary', 'quiet'].includes(formatOf(flags));
}

/** @throws {UsageError} where no trace is named, or one that cannot be read. */
async function filesOf(
  { cwd, stdin }: CommandIo,
  traces: readonly string[],
  flags: Pick<JudgeFlags, 'stdin'>,
): Promise<readonly TraceFile[]> {
  const paths = await Promise.all(traces.map((trace) => traceIn(resolve(cwd, trace))));
  const files = await Promise.all(paths.map(readTrace));
  if (flags.stdin === true) return [...files, { path: '/dev/stdin', text: await text(stdin) }];
  if (files.length > 0) return files;
  throw new UsageError(
    'Name a trace: the path of its file, or of its folder, or --stdin where a program writes it.',
  );
}

/** More threads than that no machine of today has. */
const shardsOf = wholeNumber({ min: 1, max: 256, of: 'threads', example: '2' });

/** What is no trace at all counts too: it is refused as one of a deployment. */
function isOfDeployment({ text }: TraceFile): boolean {
  return (kindOfTrace(text) ?? 'deployment') === 'deployment';
}

/** Clocks that NTP corrects differ by less; a smaller bound makes fewer verdicts inconclusive. */
const clockOffsetDefaultMs = 1_000;

/** Gives what was judged with what of its report could not be written. */
async function writeJudged(io: CommandIo, judged: JudgedTrace, flags: JudgeFlags): Promise<JudgedTrace> {
  const format = formatOf(flags);
  const { out } = flags;
  if (out === undefined) {
    await writeReport(io, judged, format);
    return judged;
  }
  const { writeReports } = await import('../../run/judge/write-reports.ts');
  const folder = await folderIn(out, io, judged).catch(async (error: unknown) => {
    await writeReport(io, judged, format);
    throw error;
  });
  const written = await writeReports(folder, judged);
  await writeReport(io, written, format);
  if (judged.kind !== 'client' && format !== 'json')
    io.stdout.write(pageLine(written, join(folder, pageFileName), { cwd: io.cwd, format }));
  return written;
}

async function folderIn(out: string, io: CommandIo, { report }: JudgedTrace): Promise<string> {
  const { createRunDirectory } = await import('../../run/record/run-directory.ts');
  return createRunDirectory(resolve(io.cwd, out), Date.parse(report.startedAt));
}
