import { stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { UsageError } from '../../contract/usage-error.ts';
import {
  emptyBaseline,
  formatBaseline,
  type KnownDeviation,
  updatedBaseline,
} from '../../reports/baseline/baseline.ts';
import { decidingOf } from '../../reports/clause-result.ts';
import { labelled } from '../../reports/terminal/layout.ts';
import { baselinePath, loadBaseline } from '../../run/judge/baseline-file.ts';
import { shownPath } from '../../run/shown-path.ts';
import type { CommandIo } from './command-io.ts';
import { readReport } from './report.ts';

type UpdateFlags = {
  readonly baseline?: string;
  readonly reason?: string;
  readonly until?: string;
  readonly dryRun?: true;
};

/** `conformance baseline`: the violations that are accepted. */
export function baselineCommand(io: CommandIo): Command {
  const command = new Command('baseline').description('maintain the list of known deviations');
  command
    .command('update')
    .description('update the list from a run: show the differences and write the list')
    .argument('<run>', 'a report.json, or its folder')
    .option('--baseline <file>', 'the list (default: conformance.baseline.json)')
    .option('--reason <sentence>', 'why the new violations are accepted')
    .option('--until <day>', 'day on which somebody has to look again, as YYYY-MM-DD')
    .option('--dry-run', 'show the differences only')
    .action((run: string, flags: UpdateFlags) => update(io, run, flags));
  return command;
}

async function update(io: CommandIo, run: string, flags: UpdateFlags): Promise<void> {
  const { report } = await readReport(resolve(io.cwd, run));
  const path = baselinePath(flags.baseline, io.cwd);
  const before = (await loadBaseline(flags.baseline, io.cwd).catch(missingIsEmpty(path))) ?? emptyBaseline;
  const today = new Date().toISOString().slice(0, 10);
  const words = { reason: flags.reason?.trim() ?? '', until: flags.until ?? '' };
  const { baseline, added, removed, kept } = updatedBaseline(before, decidingOf(report), { words, today });
  const moved = kept.filter((one) => !before.deviations.includes(one));
  if (added.length > 0 || moved.length > 0) checkWords(words, { today, needsReason: added.length > 0 });
  const lines = [
    ...added.map((one) => differenceOf('+', one, io)),
    ...moved.map((one) => differenceOf('~', one, io)),
    ...removed.map((one) => differenceOf('-', one, io)),
  ];
  io.stdout.write(lines.length === 0 ? 'the list fits this run already\n' : lines.join(''));
  if (flags.dryRun !== true && lines.length > 0) {
    await writeFile(path, formatBaseline(baseline));
    io.stdout.write(`written to ${shownPath(path, io.cwd)}\n`);
  }
  io.exit(0);
}

/** A list that is to be written need not exist yet. */
function missingIsEmpty(path: string): (error: unknown) => Promise<null> {
  return async (error) => {
    const isThere = await stat(path).then(
      () => true,
      () => false,
    );
    if (isThere) throw error;
    return null;
  };
}

function checkWords(
  { reason, until }: { readonly reason: string; readonly until: string },
  { today, needsReason }: { readonly today: string; readonly needsReason: boolean },
): void {
  if (needsReason && reason === '')
    throw new UsageError('Say in a sentence with --reason why the new violations are accepted.');
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(until) && !Number.isNaN(Date.parse(until));
  if (!isDay || until < today)
    throw new UsageError(
      'Say with --until on which day somebody has to look again: YYYY-MM-DD, today or later.',
    );
}

function differenceOf(
  sign: string,
  { clause, reason, until }: KnownDeviation,
  { stdout }: CommandIo,
): string {
  const options = { columns: Math.max(80, stdout.columns ?? 80), indent: 0, labelWidth: 28 };
  return `${labelled(`${sign} ${clause}`, `until ${until}: ${reason}`, options).join('\n')}\n`;
}
