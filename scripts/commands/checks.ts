import { Command } from 'commander';
import { noLoad } from '../../run/plan/load-plan.ts';
import { addRunOptions, type RunFlags } from '../options/run-options.ts';
import type { CommandIo } from './command-io.ts';
import { conduct } from './conduct.ts';

/** `conformance checks`: the probes and their judges, without k6. */
export function checksCommand(io: CommandIo): Command {
  const command = new Command('checks').description('run the probes and their judges only, without k6');
  return addRunOptions(command)
    .option('--light', 'check headers, keys and error shapes with a few requests; fill no window')
    .action(async (flags: RunFlags & { readonly light?: true }) => {
      await conduct(io, { flags, mode: flags.light === true ? 'light' : 'full', load: noLoad });
    });
}
