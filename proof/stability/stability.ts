import { mkdtemp, rm, rmdir } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { documentedLimits } from '../../contract/scopes.ts';
import { startService } from '../../service/server.ts';
import { type CommandIo, counted, jsonOption, numberFrom, wholeNumber } from '../command.ts';
import { type LiveRun, liveKeys, liveRun } from '../hostile/live-run.ts';
import { inTurn } from '../in-turn.ts';
import { agreementOf, isStable, type RunVerdicts, stabilityText } from './agreement.ts';
import { keepBusy } from './stress.ts';

/** Between the begins of two runs, ms: the first requests of many at once would wait for each other. */
const apartMs = 3_000;

type Flags = {
  readonly runs: number;
  readonly window: number;
  readonly atOnce: number;
  readonly stress: number;
  readonly load: boolean;
  readonly json?: true;
};

/** A service that conforms, and one with the fault that most deployments have: both verdicts have to stay. */
const subjects = [
  { name: 'as documented', faults: [] },
  { name: 'fixed-window', faults: ['fixed-window'] },
] as const;

/** `npm run stability`: the same runs again and again on a machine that is kept busy. */
export function stabilityCommand(io: CommandIo): Command {
  return new Command('stability')
    .description(
      'repeats whole runs by sockets while stress-ng keeps the machine busy, and compares their verdicts',
    )
    .option(
      '--runs <n>',
      'how many runs, against a service that conforms and one that does not in turn',
      wholeNumber({ min: 2, max: 100_000 }),
      100,
    )
    .option('--window <s>', 'the window', numberFrom({ min: 1, max: 60 }), 60)
    .option('--at-once <n>', 'how many runs go on at the same time', wholeNumber({ min: 1, max: 64 }), 2)
    .option(
      '--stress <n>',
      'processes of stress-ng that use the processor; 0: none',
      wholeNumber({ min: 0, max: 256 }),
      availableParallelism(),
    )
    .option('--no-load', "leave k6's bursts out")
    .addOption(jsonOption())
    .action((flags: Flags, command: Command) => repeatRuns(flags, io, command));
}

async function repeatRuns(flags: Flags, io: CommandIo, command: Command): Promise<void> {
  const stress = flags.stress === 0 ? null : await keepBusy(flags.stress);
  if (stress?.kind === 'missing') command.error(`error: stability needs stress-ng: ${stress.reason}`);
  const folder = await mkdtemp(join(tmpdir(), 'stability-'));
  const began = performance.now();
  try {
    const runs = await inTurn(
      Array.from({ length: flags.runs }, (_, at) => subjects[at % subjects.length] ?? subjects[0]),
      {
        atOnce: flags.atOnce,
        apartMs,
        play: (subject) => playOnce(subject, flags, folder),
        onPlayed: ({ subject, verdicts, incomplete }) =>
          void io.stderr.write(
            `${subject}: ${[...verdicts.values()].filter((kind) => kind === 'inconclusive').length} open${incomplete === null ? '' : `; ${incomplete}`}\n`,
          ),
      },
    );
    const seconds = (performance.now() - began) / 1_000;
    const agreement = subjects.map(({ name }) => agreementOf(name, runs));
    const kept = new Set(agreement.flatMap(({ unlike }) => unlike));
    for (const { traceFile } of runs)
      if (!kept.has(traceFile)) await rm(dirname(traceFile), { recursive: true, force: true });
    io.stdout.write(
      flags.json === true
        ? `${JSON.stringify({ runs: flags.runs, seconds, agreement }, null, 2)}\n`
        : `${stabilityText(agreement)}runs      ${flags.runs} beside ${counted(flags.stress, 'worker')} of stress-ng, in ${seconds.toFixed(0)} s\n`,
    );
    io.exit(isStable(agreement) ? 0 : 1);
  } finally {
    if (stress?.kind === 'busy') stress.stop();
    // Only an empty one can be removed: traces of runs that say something else stay.
    await rmdir(folder).catch(() => undefined);
  }
}

async function playOnce(
  { name, faults }: (typeof subjects)[number],
  { window: windowSeconds, load }: Flags,
  folder: string,
): Promise<RunVerdicts & Pick<LiveRun, 'incomplete'>> {
  const service = await startService({
    windowMs: windowSeconds * 1_000,
    limits: documentedLimits,
    keys: liveKeys,
    faults,
    graceMs: 0,
  });
  try {
    const run: LiveRun = await liveRun({
      deployment: { baseUrls: [service.url], windowSeconds },
      load: load ? 'bursts' : 'none',
      folder,
      signal: new AbortController().signal,
    });
    return { subject: name, ...run };
  } finally {
    await service.close();
  }
}
