import process from 'node:process';
import { Command } from 'commander';
import type { TestProject } from 'vitest/node';
import { selectedClauses } from '../checks/clause-tests.ts';
import { asError, messageOf } from '../contract/thrown.ts';
import { conductRun } from '../run/conduct-run.ts';
import { documentAlone } from '../run/judge/judging.ts';
import { noLoad } from '../run/plan/load-plan.ts';
import { selectionOf } from '../run/plan/selection.ts';
import { settleSettings } from '../run/target/settle-settings.ts';
import { runOn } from './display/display.ts';
import { addRunOptions, type RunFlags } from './options/run-options.ts';

/**
 * Vitest's global set-up of the checks. It probes once, with the settings of the environment and the settings file, judges
 * the saved trace and passes the judgement to the check files. In watch mode each rerun probes again: what it shows is never
 * older than the rerun.
 * @throws where the probes cannot be completed, with the reason: then there is nothing to judge.
 */
export async function setup(project: TestProject): Promise<void> {
  // The keys are taken out of the environment, so that no worker gets them; a rerun needs them again.
  const environment = { ...process.env };
  await probe(project, process.env);
  project.onTestsRerun(async () => {
    try {
      await probe(project, { ...environment });
    } catch (error) {
      // Nothing is judged by what was sent before.
      project.provide('trouble', messageOf(error));
    }
  });
}

/** Sends what the selected tests need, and no more. */
async function probe(project: TestProject, env: NodeJS.ProcessEnv): Promise<void> {
  const { stderr } = process;
  const cwd = project.config.root;
  try {
    const flags = addRunOptions(new Command()).parse([], { from: 'user' }).opts<RunFlags>();
    const settings = await settleSettings(flags, cwd);
    const selected = selectedClauses(project.vitest.getGlobalTestNamePattern());
    const conducted = await conductRun(
      {
        settings,
        allowHosts: flags.allowHost ?? [],
        ...selectionOf(selected, settings.deployment),
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
    project.provide('trouble', null);
    project.provide('judgement', judgement);
    project.provide('traceFile', traceFile);
  } catch (error) {
    throw withoutStack(error);
  }
}

/** Vitest shows the stack of an error; here it would only point into this program. */
function withoutStack(error: unknown): Error {
  const shown = asError(error);
  shown.stack = `${shown.name}: ${shown.message}`;
  return shown;
}
