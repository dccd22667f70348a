import process from 'node:process';
import { Command } from 'commander';
import type { TestProject } from 'vitest/node';
import { conductRun } from '../run/conduct-run.ts';
import { documentAlone } from '../run/judge/judge-file.ts';
import { noLoad } from '../run/plan/load-plan.ts';
import { settleSettings } from '../run/target/settle-settings.ts';
import { runOn } from './display/display.ts';
import { addRunOptions, type RunFlags } from './options/run-options.ts';

/**
 * Vitest's global set-up of the checks. It probes once, with the settings of the environment and the settings file, judges
 * the saved trace and passes the judgement to the check files. It always sends the same, whatever tests are selected.
 * @throws where the probes cannot be completed, with the reason: then there is nothing to judge.
 */
export async function setup(project: TestProject): Promise<void> {
  const { env, stderr } = process;
  const cwd = project.config.root;
  try {
    const flags = addRunOptions(new Command()).parse([], { from: 'user' }).opts<RunFlags>();
    const conducted = await conductRun(
      {
        settings: await settleSettings(flags, cwd),
        allowHosts: flags.allowHost ?? [],
        mode: 'full',
        load: noLoad,
        out: flags.out,
        judging: documentAlone,
      },
      {
        env,
        cwd,
        // Vitest writes to the same terminal.
        onBegin: runOn({ stream: stderr, kind: 'lines', cwd }),
        signal: new AbortController().signal,
        session: { traceFile: null, removeKeys: (text) => text, hidden: [] },
      },
    );
    if (conducted.kind === 'interrupted') throw new Error('The probes were interrupted.');
    const { traceFile, judged } = conducted;
    const { report, judgement } = judged;
    if (!report.complete) throw new Error(`${report.incompleteReason} The trace is in ${traceFile}.`);
    project.provide('judgement', judgement);
    project.provide('traceFile', traceFile);
  } catch (error) {
    throw withoutStack(error);
  }
}

/** Vitest shows the stack of an error; here it would only point into this program. */
function withoutStack(error: unknown): Error {
  const shown = error instanceof Error ? error : new Error(String(error));
  shown.stack = `${shown.name}: ${shown.message}`;
  return shown;
}
