import { resolve } from 'node:path';
import { Command } from 'commander';
import { writeGateCertificates } from '../certificates/gate-certificates.ts';
import { type CommandIo, counted, firstSeedOption, jsonOption, numberFrom, wholeNumber } from '../command.ts';
import { playAll } from '../pool.ts';
import { gateText } from './gate-text.ts';
import { figuresOf } from './kill-matrix.ts';
import { problemsOf, unprovedClauses } from './problems.ts';
import { mergedSeeds, playSeed, type SeedBatch } from './seed-batch.ts';

type Flags = {
  readonly seeds: number;
  readonly firstSeed: number;
  readonly roundTrip?: number;
  readonly json?: true;
  readonly certificates?: string;
};

/** `npm run faults`: the gate of the faults. */
export function faultsCommand(io: CommandIo): Command {
  return new Command('faults')
    .description(
      'plays every fault and every variant once with each seed, and shows which clause catches which',
    )
    .option('--seeds <n>', 'how many seeds', wholeNumber({ min: 1, max: 1_000_000 }), 1)
    .addOption(firstSeedOption(1))
    .option(
      '--round-trip <ms>',
      'how long a request and its answer take at most (default: 0.2 to 100 ms, by the seed)',
      numberFrom({ min: 1, max: 10_000 }),
    )
    .option(
      '--certificates <folder>',
      'instead of showing this, write the trace of each run with violations and the certificate of each of them',
    )
    .addOption(jsonOption())
    .action((flags: Flags) =>
      flags.certificates === undefined
        ? passGate(flags, io)
        : writeCertificates(resolve(flags.certificates), flags, io),
    );
}

/** Fails where a violation has no certificate. */
async function writeCertificates(folder: string, { seeds, firstSeed }: Flags, io: CommandIo): Promise<void> {
  const unproven: string[] = [];
  let certificates = 0;
  for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
    const written = await writeGateCertificates(folder, seed);
    certificates += written.certificates;
    unproven.push(...written.unproven);
  }
  const problems = unproven.map((problem) => `PROBLEM   ${problem}\n`).join('');
  io.stdout.write(
    `${problems}${counted(certificates, 'certificate')} of ${counted(seeds, 'seed')} in ${folder}\n`,
  );
  io.exit(unproven.length === 0 && certificates > 0 ? 0 : 1);
}

/** Passed only if each fault is caught, and nothing else is said. */
async function passGate({ seeds, firstSeed, roundTrip, json }: Flags, io: CommandIo): Promise<void> {
  const { results, workers, seconds } = await playAll(
    {
      module: new URL('./seed-batch.ts', import.meta.url),
      play: playSeed,
      batches: Array.from(
        { length: seeds },
        (_, at): SeedBatch => ({
          seed: firstSeed + at,
          oneWayMsMax: roundTrip === undefined ? undefined : roundTrip / 2,
        }),
      ),
      unit: 'seeds',
      unitsIn: () => 1,
    },
    { stream: io.stderr },
  );
  const { matrix, senders } = mergedSeeds(results);
  const problems = [
    ...problemsOf(matrix),
    ...unprovedClauses(matrix.rows),
    ...senders.flatMap((row) => row.problems),
  ];
  const figures = { ...figuresOf(matrix), seconds, workers };
  if (json === true) {
    io.stdout.write(`${JSON.stringify({ firstSeed, ...figures, problems, ...matrix, senders }, null, 2)}\n`);
  } else io.stdout.write(gateText({ matrix, senders, figures, problems }));
  io.exit(problems.length === 0 ? 0 : 1);
}
