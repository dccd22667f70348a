import { dirname, join } from 'node:path';
import type { Scope } from '../../contract/scopes.ts';
import { conductRun } from '../../run/conduct-run.ts';
import { checkBaseline } from '../../run/judge/check-baseline.ts';
import type { JudgedTrace } from '../../run/judge/judged.ts';
import { documentAlone, type Judging } from '../../run/judge/judging.ts';
import { pageFileName } from '../../run/judge/report-file-names.ts';
import type { LoadWish, RunMode } from '../../run/plan/load-plan.ts';
import { shownPath } from '../../run/shown-path.ts';
import { settleSettings } from '../../run/target/settle-settings.ts';
import { displayKindFor, runOn } from '../display/display.ts';
import { interruptedExitCode, watchInterrupts } from '../interrupt.ts';
import { formatOf } from '../options/output-options.ts';
import type { RunFlags } from '../options/run-options.ts';
import type { CommandIo } from './command-io.ts';
import { exitWith, pageLine, writeReport } from './report-output.ts';

export type ConductOptions = {
  readonly flags: RunFlags;
  readonly mode: RunMode;
  readonly load: LoadWish;
  readonly unannouncedSeed?: number | undefined;
  /** The scopes that the probes fill; left out: all. */
  readonly probedScopes?: readonly Scope[] | undefined;
  readonly judging?: Judging;
};

export type Ended = {
  readonly judged: JudgedTrace<'deployment'>;
  /** Where its page is. */
  readonly page: string;
  /** How many requests it sent, or may have sent. */
  readonly requests: number;
};

/**
 * A whole run for a command: settings, the run itself, its report, and the exit status.
 * @returns what came out; `null` where the run was interrupted.
 */
export async function conduct(
  io: CommandIo,
  { flags, mode, load, unannouncedSeed, probedScopes, judging = documentAlone }: ConductOptions,
): Promise<Ended | null> {
  const settings = await settleSettings(flags, io.cwd);
  if (judging.baseline !== null) checkBaseline(judging.baseline, settings.deployment.document);
  const interrupts = watchInterrupts();
  const format = formatOf(flags);
  const progress = format === 'json' ? io.stderr : io.stdout;
  const { env, cwd, session } = io;
  const kind = format === 'quiet' ? 'none' : displayKindFor(progress, env);
  try {
    const conducted = await conductRun(
      {
        settings,
        allowHosts: flags.allowHost ?? [],
        mode,
        load,
        unannouncedSeed,
        probedScopes,
        out: flags.out,
        judging,
      },
      { env, cwd, session, signal: interrupts.signal, onBegin: runOn({ stream: progress, kind, cwd }) },
    );
    if (conducted.kind === 'interrupted') {
      const { traceFile } = conducted;
      const where =
        traceFile === null ? 'nothing was sent' : `the trace so far is in ${shownPath(traceFile, cwd)}`;
      io.stderr.write(`interrupted; ${where}\n`);
      io.exit(interruptedExitCode);
      return null;
    }
    const { judged, requests } = conducted;
    await writeReport(io, judged, format);
    const page = join(dirname(conducted.traceFile), pageFileName);
    progress.write(pageLine(judged, page, { cwd, format }));
    exitWith(io, judged.report.exitCode, judged.unwritten);
    return { judged, page, requests };
  } finally {
    interrupts.stop();
  }
}
