import { type Command, Option } from 'commander';
import type { NamedBaseline } from '../../run/judge/baseline-file.ts';

export const defaultHistoryName = 'runs/history.ndjson';

/** The baseline of a run, and where the run is recorded. */
export type KeepingFlags = {
  readonly baseline?: string | false;
  /** `false` by `--no-history`. */
  readonly history: string | false;
  readonly summary?: string;
  readonly retryInconclusive?: true;
};

export function addBaselineOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--baseline <file>',
        'known deviations (default: conformance.baseline.json, if it exists)',
      ).env('CONFORMANCE_BASELINE'),
    )
    .option('--no-baseline', 'accept no deviation');
}

/** `--no-baseline` makes commander's default `true`, which means that neither flag was given. */
export function namedBaseline({ baseline }: { readonly baseline?: string | boolean }): NamedBaseline {
  return baseline === true ? undefined : baseline;
}

/** Flags of runs that are recorded and compared, e.g. every night. */
export function addKeepingOptions(command: Command): Command {
  return addBaselineOptions(command)
    .addOption(
      new Option('--history <file>', 'file to which the run adds a line')
        .default(defaultHistoryName)
        .env('CONFORMANCE_HISTORY'),
    )
    .option('--no-history', 'do not record the run')
    .option('--summary <file>', 'append the summary, in Markdown, to this file')
    .option('--retry-inconclusive', 'after an inconclusive run, wait one window and run once more');
}
