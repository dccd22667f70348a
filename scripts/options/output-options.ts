import { type Command, Option } from 'commander';
import type { ReportFormat } from '../commands/report-output.ts';

/** How much is said, and for whom. */
export type OutputFlags = {
  readonly json?: true;
  readonly verbose?: true;
  readonly quiet?: true;
};

export function addOutputOptions(command: Command): Command {
  return addLengthOptions(
    command.option('--json', 'write report.json to standard output, and everything else to standard error'),
  );
}

/** Without one of these, the summary. */
export function addLengthOptions(command: Command): Command {
  return command
    .option('--verbose', 'show every clause with its evidence, what was measured, and the limiter found')
    .addOption(
      new Option(
        '--quiet',
        'show no more than the verdict, why a run is incomplete, and the path of the page',
      ).conflicts(['verbose', 'json']),
    );
}

export function formatOf({ json, verbose, quiet }: OutputFlags): ReportFormat {
  if (json === true) return 'json';
  if (quiet === true) return 'quiet';
  return verbose === true ? 'text' : 'summary';
}
