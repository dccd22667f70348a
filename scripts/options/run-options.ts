import { randomInt } from 'node:crypto';
import { type Command, Option } from 'commander';
import { scenarios } from '../../load/runner/scenarios.ts';
import { goesByDefault } from '../../run/plan/load-keys.ts';
import { type LoadWish, noLoad } from '../../run/plan/load-plan.ts';
import type { TargetFlags } from '../../run/target/settle-settings.ts';
import { addOutputOptions, type OutputFlags } from './output-options.ts';
import { addTargetOptions } from './target-options.ts';
import { wholeNumber } from './values.ts';

export type RunFlags = TargetFlags & OutputFlags & { readonly out: string };

export type LoadFlags = {
  /** `false` by `--no-load`. */
  readonly load?: 'all' | 'default' | 'none' | false;
  readonly light?: true;
  /** The seed; `true` where none was given. */
  readonly unannounced?: number | true;
};

/** Flags of every command that sends: the target, where the run is saved, and the form of the output. */
export function addRunOptions(command: Command): Command {
  const saving = addTargetOptions(command).addOption(
    new Option('--out <folder>', 'folder in which each run makes its own folder')
      .default('runs')
      .env('CONFORMANCE_OUT'),
  );
  return addOutputOptions(saving);
}

/** Flags that choose how much is sent. */
export function addLoadOptions(command: Command): Command {
  return command
    .option('--light', 'check headers, keys and error shapes with a few requests; fill no window')
    .addOption(
      new Option(
        '--load <which>',
        'which load scenarios k6 runs: the bursts, which take no extra time, or all, which takes minutes more',
      )
        .choices(['all', 'default', 'none'])
        .default('default')
        .env('CONFORMANCE_LOAD'),
    )
    .option('--no-load', 'the same as --load none')
    .option(
      '--unannounced [seed]',
      'do not show the service that it is probed: a usual User-Agent, gaps, sizes and order drawn from the seed, and a ' +
        'late visit; takes two windows more',
      wholeNumber({ min: 0, max: seedMax }),
    );
}

const seedMax = 0x7fffffff;

/** The seed of a run that does not announce itself, drawn where none was given; `undefined` in one that does. */
export function chosenSeed({ unannounced }: LoadFlags): number | undefined {
  return unannounced === true ? randomInt(seedMax) : unannounced;
}

/** A light run fills no window, so that it has no load either. */
export function chosenLoad({ load = 'default', light }: LoadFlags): LoadWish {
  if (light === true || load === false || load === 'none') return noLoad;
  const chosen = load === 'all' ? scenarios : scenarios.filter(goesByDefault);
  return { ...noLoad, scenarios: chosen, chosen: 'all' };
}
