import { type Command, Option } from 'commander';
import { scenarios } from '../../load/runner/scenarios.ts';
import { goesByDefault, type LoadWish, noLoad } from '../../run/plan/load-plan.ts';
import type { TargetFlags } from '../../run/target/settle-settings.ts';
import { addTargetOptions } from './target-options.ts';

export type RunFlags = TargetFlags & {
  readonly out: string;
  readonly json?: true;
};

export type LoadFlags = {
  /** `false` by `--no-load`. */
  readonly load?: 'all' | 'default' | 'none' | false;
  readonly light?: true;
};

/** Flags of every command that sends: where to, where the run is saved, and in what form it is told. */
export function addRunOptions(command: Command): Command {
  return addTargetOptions(command)
    .addOption(
      new Option('--out <folder>', 'folder in which the run gets one of its own')
        .default('runs')
        .env('CONFORMANCE_OUT'),
    )
    .option('--json', 'write report.json to standard output, and everything else to standard error');
}

/** Flags that choose how much is sent. */
export function addLoadOptions(command: Command): Command {
  return command
    .option('--light', 'look at headers, keys and error shapes with a handful of requests; saturate nothing')
    .addOption(
      new Option(
        '--load <which>',
        'which load scenarios k6 runs: the bursts, which fit beside the probes, or all, which takes minutes more',
      )
        .choices(['all', 'default', 'none'])
        .default('default'),
    )
    .option('--no-load', 'the same as --load none');
}

/** A light run saturates nothing, so it has no load either. */
export function chosenLoad({ load = 'default', light }: LoadFlags): LoadWish {
  if (light === true || load === false || load === 'none') return noLoad;
  const chosen = load === 'all' ? scenarios : scenarios.filter(goesByDefault);
  return { ...noLoad, scenarios: chosen, chosen: 'all' };
}
