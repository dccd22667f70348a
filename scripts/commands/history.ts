import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { howMany } from '../../contract/quantities.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { changesIn } from '../../reports/history/changes.ts';
import { comparableLines, type HistoryLine } from '../../reports/history/history-line.ts';
import { historyLines } from '../../reports/history/history-text.ts';
import { layoutOf } from '../../reports/terminal/layout.ts';
import { readHistory } from '../../run/judge/history-file.ts';
import { defaultHistoryName } from '../options/keeping-options.ts';
import { wholeNumber } from '../options/values.ts';
import type { CommandIo } from './command-io.ts';
import { layoutFor } from './report-output.ts';

type HistoryFlags = {
  readonly history: string;
  readonly target?: string;
  readonly last: number;
  readonly json?: true;
};

/** `conformance history`: the runs so far, and what changed when. */
export function historyCommand(io: CommandIo): Command {
  return new Command('history')
    .description('show what changed from run to run, and when; sends nothing')
    .addOption(
      new Option('--history <file>', 'file to which runs add a line')
        .default(defaultHistoryName)
        .env('CONFORMANCE_HISTORY'),
    )
    .option('--target <name>', 'only runs against this target')
    .option(
      '--last <runs>',
      'how many runs to show; changes are found in all',
      wholeNumber({ min: 1, max: 9_999 }),
      30,
    )
    .option(
      '--json',
      'write runs and changes as a JSON list, with an object for each series of comparable runs',
    )
    .action(async (flags: HistoryFlags) => {
      const path = resolve(io.cwd, flags.history);
      const { lines, unreadable } = await readHistory(path);
      const series = seriesOf(lines).filter(
        ([first]) => flags.target === undefined || first?.target === flags.target,
      );
      if (series.length === 0) throw nothingToShow(path, lines, flags.target);
      if (unreadable > 0) io.stderr.write(`${howMany(unreadable, 'line')} of ${path} cannot be read\n`);
      if (flags.json === true) {
        const found = series.map((runs) => ({ runs, changes: changesIn(runs) }));
        io.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
      } else {
        const layout = layoutOf(layoutFor(io));
        const texts = series.map((runs) => historyLines(runs, { layout, runsShown: flags.last }).join('\n'));
        io.stdout.write(`${texts.join('\n\n')}\n`);
      }
      io.exit(0);
    });
}

/** A list for each series of comparable runs, in the order of their first runs. */
function seriesOf(lines: readonly HistoryLine[]): readonly (readonly HistoryLine[])[] {
  const kinds = new Map(lines.map((line) => [`${line.target}\n${line.mode}\n${line.windowSeconds}`, line]));
  return [...kinds.values()].map((line) => comparableLines(lines, line));
}

function nothingToShow(path: string, lines: readonly HistoryLine[], target: string | undefined): UsageError {
  if (lines.length === 0 || target === undefined)
    return new UsageError(`There are no runs in ${path} yet: "conformance run" adds a line for each run.`);
  const targets = [...new Set(lines.map((line) => line.target))].slice(0, 10).join(', ');
  return new UsageError(
    `There are no runs against "${target}" in ${path}. There are some against: ${targets}.`,
  );
}
