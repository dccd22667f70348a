import type { Command } from 'commander';
import type { PartialRuns } from '../../reports/enough.ts';

/** Whether a run that leaves deciding clauses out may end with 0. */
export type PartialFlags = { readonly allowPartial?: true };

export function addPartialOption(command: Command): Command {
  return command.option(
    '--allow-partial',
    'call a light run or load alone conformant by the clauses that it judges; without this flag it is inconclusive',
  );
}

export function partialRunsOf({ allowPartial }: PartialFlags): PartialRuns {
  return allowPartial === true ? 'accepted' : 'refused';
}
