import { dirname, join } from 'node:path';
import type { Report } from '../../reports/result.ts';
import { displayKindFor } from '../display/display.ts';
import { conductRun } from '../run/conduct-run.ts';
import { interruptedExitCode, watchInterrupts } from '../run/interrupt.ts';
import type { Judging } from '../run/judge-file.ts';
import type { LoadWish } from '../run/load-wish.ts';
import type { RunMode } from '../run/run-mode.ts';
import { pageFileName } from '../run/write-reports.ts';
import { settleSettings } from '../settings/settle-settings.ts';
import { shownPath } from '../shown-path.ts';
import type { CommandIo } from './command-io.ts';
import { writeReport } from './report-output.ts';
import type { RunFlags } from './run-options.ts';

export type ConductOptions = {
  readonly flags: RunFlags;
  readonly mode: RunMode;
  readonly load: LoadWish;
  readonly judging?: Judging;
};

/**
 * A whole run for a command: settings, the run itself, its report, and the exit status.
 * @returns the report; `null` where the run was interrupted.
 */
export async function conduct(
  io: CommandIo,
  { flags, mode, load, judging = { baseline: null, past: [] } }: ConductOptions,
): Promise<Report | null> {
  const settings = await settleSettings(flags, io.cwd);
  const interrupts = watchInterrupts();
  const format = flags.json === true ? 'json' : 'text';
  const progress = format === 'json' ? io.stderr : io.stdout;
  const { env, cwd, session } = io;
  try {
    const conducted = await conductRun(
      { settings, allowHosts: flags.allowHost ?? [], mode, load, out: flags.out, judging },
      { env, cwd, session, progress, display: displayKindFor(progress, env), signal: interrupts.signal },
    );
    if (conducted.kind === 'interrupted') {
      const { traceFile } = conducted;
      const where =
        traceFile === null
          ? 'nothing had been sent yet'
          : `the trace so far is in ${shownPath(traceFile, cwd)}`;
      io.stderr.write(`interrupted; ${where}\n`);
      io.exit(interruptedExitCode);
      return null;
    }
    const page = join(dirname(conducted.traceFile), pageFileName);
    progress.write(`page    ${shownPath(page, cwd)}\n`);
    writeReport(io, conducted.report, format);
    io.exit(conducted.report.exitCode);
    return conducted.report;
  } finally {
    interrupts.stop();
  }
}
