import { Command, Option } from 'commander';
import { type CommandIo, counted, wholeNumber } from '../command.ts';
import { type ForeignFlags, judgeForeign } from '../foreign/foreign.ts';
import { hasPython } from '../foreign/foreign-batch.ts';
import { type Played, playAll } from '../pool.ts';
import { judgeDocuments } from '../promises/judge-documents.ts';
import { judgePromises } from '../promises/promises.ts';
import { batchesOf, falseVerdictLines } from './batches.ts';
import { type HostileResult, mergedHostile, playHostileBatch } from './hostile-batch.ts';
import { type FalseOfK6, playK6Batch } from './k6-batch.ts';

type Flags = {
  readonly runs: number;
  readonly seed: number;
  readonly promises?: number;
  readonly documents?: number;
} & Partial<ForeignFlags>;

/** `npm run soundness`: the soundness of the judges, by runs of other seeds than those of the tests. */
export function soundnessCommand(io: CommandIo): Command {
  return new Command('soundness')
    .description('plays conforming services in hostile worlds, and counts the must clauses called violated')
    .option('--runs <n>', 'how many runs', wholeNumber({ min: 1 }), 20_000)
    .option('--seed <n>', 'seed of the runs', wholeNumber({ min: 0 }), 1)
    .addOption(
      new Option(
        '--foreign <n>',
        'judge n conforming traces of a generator in Python instead, and violators beside them',
      )
        .argParser(wholeNumber({ min: 1 }))
        .conflicts('runs'),
    )
    .addOption(
      new Option(
        '--promises <n>',
        'judge n runs against limiters that keep promises of other kinds than a rolling window instead',
      )
        .argParser(wholeNumber({ min: 1 }))
        .conflicts(['runs', 'foreign']),
    )
    .addOption(
      new Option(
        '--documents <n>',
        'judge whole runs and drawn traffic under n documents, drawn in all that they can say, instead',
      )
        .argParser(wholeNumber({ min: 1 }))
        .conflicts(['runs', 'foreign', 'promises']),
    )
    .option('--table <file>', 'with --foreign: write which clauses catch each kind of violator, as JSON')
    .action(({ foreign, promises, documents, ...flags }: Flags, command: Command) => {
      if (documents !== undefined) return judgeDocuments({ documents, seed: flags.seed }, io);
      if (promises !== undefined) return judgePromises({ promises, seed: flags.seed }, io);
      if (foreign === undefined) {
        if (flags.table !== undefined) command.error('error: --table goes with --foreign <n>');
        return countFalseVerdicts(flags, io);
      }
      if (!hasPython()) command.error('error: --foreign needs Python, and python3 was not found: install it');
      return judgeForeign({ foreign, ...flags }, io);
    });
}

/** Sound only if no verdict is false. */
async function countFalseVerdicts(
  { runs, seed }: Omit<Flags, 'foreign' | 'promises' | 'documents' | 'table'>,
  io: CommandIo,
): Promise<void> {
  const played = await playAll(
    {
      module: new URL('./hostile-batch.ts', import.meta.url),
      play: playHostileBatch,
      batches: batchesOf({ seed, runs }, batchSize),
      unit: 'runs',
      unitsIn: (batch) => batch.runs,
    },
    { stream: io.stderr },
  );
  const result = mergedHostile(played.results);
  const ofK6 = await playAll(
    {
      module: new URL('./k6-batch.ts', import.meta.url),
      play: playK6Batch,
      batches: batchesOf({ seed, runs: Math.ceil(runs * shareOfK6) }, batchSize),
      unit: 'runs of k6',
      unitsIn: (batch) => batch.runs,
    },
    { stream: io.stderr },
  );
  const falseOfK6 = ofK6.results.flat();
  io.stdout.write(soundnessText(result, { ...played, seed }) + k6Text(runs, falseOfK6));
  io.exit(result.falseVerdictsTotal === 0 && falseOfK6.length === 0 ? 0 : 1);
}

/** Runs that a worker plays at a time. */
const batchSize = 500;

/** Of as many runs again, since each is longer: k6 whose clock is set, and whose requests Go repeats. */
const shareOfK6 = 0.1;

function k6Text(runs: number, falseOfK6: readonly FalseOfK6[]): string {
  const lines = [
    `runs of k6        ${Math.ceil(runs * shareOfK6)}, its clock set and its connections reset while it sends`,
    `false verdicts    ${falseOfK6.length}`,
    ...falseVerdictLines(falseOfK6),
  ];
  return `${lines.join('\n')}\n`;
}

type Circumstances = Pick<Played<unknown>, 'workers' | 'seconds'> & { readonly seed: number };

function soundnessText(result: HostileResult, { seed, seconds, workers }: Circumstances): string {
  const { runs, falseVerdicts, falseVerdictsTotal, inconclusive, judged } = result;
  const share = (100 * inconclusive) / judged;
  const rate = (runs / seconds).toFixed(0);
  const lines = [
    `runs              ${runs} (seed ${seed}), each one scope's whole run in a hostile world`,
    `false verdicts    ${falseVerdictsTotal}`,
    `inconclusive      ${share.toFixed(1)} % of the must clauses that a run could judge`,
    `rate              ${rate} runs a second on ${counted(workers, 'core')}`,
    ...falseVerdictLines(falseVerdicts),
  ];
  return `${lines.join('\n')}\n`;
}
