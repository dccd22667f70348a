import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { Command } from 'commander';
import { settledAfterMs } from '../../contract/bounds.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { howMany } from '../../contract/quantities.ts';
import { messageOf } from '../../contract/thrown.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { historyLineOf } from '../../reports/history/history-line.ts';
import { exitCodes } from '../../reports/outcome.ts';
import type { Report } from '../../reports/result.ts';
import { loadBaseline } from '../../run/judge/baseline-file.ts';
import { appendHistory, readHistory } from '../../run/judge/history-file.ts';
import { documentAlone } from '../../run/judge/judging.ts';
import { repetitionOf } from '../../run/plan/repetition.ts';
import { shownPath } from '../../run/shown-path.ts';
import { watchInterrupts } from '../interrupt.ts';
import { addKeepingOptions, type KeepingFlags, namedBaseline } from '../options/keeping-options.ts';
import { addPartialOption, type PartialFlags, partialRunsOf } from '../options/partial-option.ts';
import {
  addLoadOptions,
  addRunOptions,
  chosenLoad,
  chosenSeed,
  type LoadFlags,
  type RunFlags,
} from '../options/run-options.ts';
import type { CommandIo } from './command-io.ts';
import { type ConductOptions, conduct, type Ended } from './conduct.ts';

/** `conformance run`: the whole run, with a verdict. */
export function runCommand(io: CommandIo): Command {
  const command = new Command('run').description(
    'probe a deployment, load it, and give a verdict (the default command)',
  );
  // As the default command it also gets every misspelt command.
  command.argument('[words...]').usage('[options]');
  return addPartialOption(addKeepingOptions(addLoadOptions(addRunOptions(command)))).action(
    async ([word]: readonly string[], flags: RunFlags & LoadFlags & KeepingFlags & PartialFlags) => {
      if (word !== undefined) throw unknownCommand(word, command);
      const mode = flags.light === true ? 'light' : 'full';
      await conductAndKeep(io, { flags, mode, load: chosenLoad(flags), unannouncedSeed: chosenSeed(flags) });
    },
  );
}

function unknownCommand(word: string, { parent }: Command): UsageError {
  const names = (parent?.commands ?? []).map((command) => command.name());
  return new UsageError(
    `There is no command "${word}"${didYouMean(word, names)} Commands: ${names.join(', ')}.`,
  );
}

type KeepingOptions = ConductOptions & {
  readonly flags: ConductOptions['flags'] & KeepingFlags & PartialFlags;
};

/**
 * Runs, compares the report with the baseline and with earlier runs, and records it in the history. After an
 * inconclusive run it runs once more, if the flag says so.
 */
async function conductAndKeep(io: CommandIo, options: KeepingOptions): Promise<void> {
  const { flags } = options;
  const baseline = await loadBaseline(namedBaseline(flags), io.cwd);
  const history = flags.history === false ? null : resolve(io.cwd, flags.history);
  const { lines: past, unreadable } =
    history === null ? { lines: [], unreadable: 0 } : await readHistory(history);
  if (unreadable > 0)
    io.stderr.write(
      `${howMany(unreadable, 'line')} of the history cannot be read, and ${unreadable === 1 ? 'stays' : 'stay'} in the file\n`,
    );
  const judging = { ...documentAlone, baseline, past, partialRuns: partialRunsOf(flags) };
  // A run removes its keys from the environment; a second run needs them again.
  const environment = { ...io.env };
  let ended = await conduct(io, { ...options, judging });
  const repeating = ended === null || flags.retryInconclusive !== true ? null : repetition(ended, options);
  if (ended !== null && repeating !== null) {
    const { report, judgement } = ended.judged;
    const before = { runId: report.runId, clauses: judgement.clauses };
    const again = async (): Promise<Ended | null> => {
      Object.assign(io.env, environment);
      return conduct(io, { ...options, ...repeating, judging: { ...judging, before } });
    };
    // Where the second one is interrupted, the first has been judged all the same.
    ended = ((await oneWindow(io, report)) ? await again() : null) ?? ended;
  }
  if (ended === null) return;
  const { page } = ended;
  const { report } = ended.judged;
  try {
    if (history !== null) appendHistory(history, historyLineOf(report));
    if (flags.summary !== undefined) {
      const { renderMarkdown } = await import('../../reports/markdown.ts');
      const path = shownPath(page, io.cwd);
      await appendFile(resolve(io.cwd, flags.summary), renderMarkdown(report, { kind: 'elsewhere', path }));
    }
  } catch (error) {
    // The verdict is saved, but not where it was wanted: that must not look like success.
    io.stderr.write(`${messageOf(error)}\n`);
    io.exit(report.exitCode === 0 ? exitCodes.error : report.exitCode);
  }
}

/**
 * The run that sends again what decides an inconclusive one, within what that one left of `maxRequests`; `null` where no run
 * could.
 */
function repetition(
  { judged, requests }: Ended,
  { flags, mode, load }: KeepingOptions,
): Partial<KeepingOptions> | null {
  const { outcome, outcomeReasons, notEnoughReason, deployment } = judged.report;
  // What was left out would be left out again.
  const isOpen = outcomeReasons.some((reason) => reason !== notEnoughReason);
  if (outcome !== 'inconclusive' || !isOpen) return null;
  const { scopes, ...again } = repetitionOf(judged.judgement, { mode, load, document: deployment.document });
  const { maxRequests } = deployment;
  if (maxRequests === undefined) return { ...again, probedScopes: scopes };
  if (maxRequests <= requests) return null;
  return { ...again, probedScopes: scopes, flags: { ...flags, maxRequests: maxRequests - requests } };
}

/** Waits until all requests of a run have left the window. `false` where the wait was interrupted. */
async function oneWindow({ stderr, exit }: CommandIo, { window, outcomeReasons }: Report): Promise<boolean> {
  const waitMs = settledAfterMs(window.ms);
  stderr.write(
    `${outcomeReasons.join('; ')}. Running once more in ${Math.ceil(waitMs / 1_000)} s, after one window: what is open, and no more.\n`,
  );
  const interrupts = watchInterrupts();
  try {
    await passed(waitMs, undefined, { signal: interrupts.signal });
    return true;
  } catch {
    exit(exitCodes.inconclusive);
    return false;
  } finally {
    interrupts.stop();
  }
}
