import { type Command, Option } from 'commander';
import type { NamedBaseline } from '../../run/judge/baseline-file.ts';

export const defaultHistoryName = 'runs/history.ndjson';

/** What a run is held against, and where it is kept. */
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
        'known deviations (default: conformance.baseline.json, where there is one)',
      ).env('CONFORMANCE_BASELINE'),
    )
    .option('--no-baseline', 'hold nothing for known');
}

/** `--no-baseline` makes commander's default `true`, which means that nothing was said. */
export function namedBaseline({ baseline }: { readonly baseline?: string | boolean }): NamedBaseline {
  return baseline === true ? undefined : baseline;
}

/** Flags of runs that somebody looks at the next morning. */
export function addKeepingOptions(command: Command): Command {
  return addBaselineOptions(command)
    .addOption(
      new Option('--history <file>', 'file to which the run adds a line')
        .default(defaultHistoryName)
        .env('CONFORMANCE_HISTORY'),
    )
    .option('--no-history', 'add it nowhere')
    .option('--summary <file>', 'add the summary, in Markdown, to the end of this file')
    .option('--retry-inconclusive', 'after an inconclusive run wait one window, and run once more');
}
