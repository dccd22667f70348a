import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import type { RunOutcome } from '../../reports/outcome.ts';
import { exitCodes } from '../../reports/outcome.ts';
import { judgeFile, traceFileName } from '../run/judge-file.ts';
import { createRunDirectory } from '../run/run-directory.ts';
import { writeReports } from '../run/write-reports.ts';
import { loadBaseline } from '../settings/baseline-file.ts';
import type { CommandIo } from './command-io.ts';
import { addBaselineOptions, type KeepingFlags, namedBaseline } from './keeping-options.ts';
import { writeReport } from './report-output.ts';

type JudgeFlags = Pick<KeepingFlags, 'baseline'> & { readonly out?: string; readonly json?: true };

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
    .option('--json', 'write report.json to standard output, one after another, and nothing else');
  return addBaselineOptions(command).action(async (traces: readonly string[], flags: JudgeFlags) => {
    const outcomes: RunOutcome[] = [];
    const baseline = await loadBaseline(namedBaseline(flags), io.cwd);
    for (const trace of traces) {
      const { report } = await judgeFile(await traceIn(resolve(io.cwd, trace)), { baseline, past: [] });
      if (flags.out !== undefined) {
        const folder = await createRunDirectory(resolve(io.cwd, flags.out), Date.parse(report.startedAt));
        await writeReports(folder, report);
      }
      writeReport(io, report, flags.json === true ? 'json' : 'text');
      outcomes.push(report.outcome);
    }
    io.exit(exitCodes[worstFirst.find((outcome) => outcomes.includes(outcome)) ?? 'error']);
  });
}

async function traceIn(path: string): Promise<string> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder ? join(path, traceFileName) : path;
}
