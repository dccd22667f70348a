import { mkdir, mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Command } from 'commander';
import { faults } from '../../service/faults.ts';
import { type CommandIo, firstSeedOption, jsonOption, numberFrom, wholeNumber } from '../command.ts';
import { inTurn } from '../in-turn.ts';
import { type FaultRow, type HostileRow, playFault, playHostile, type Surroundings } from './campaign.ts';
import { hostileText, problemsOf } from './hostile-text.ts';
import { findToxiproxy, startToxiproxy } from './toxiproxy.ts';

type Flags = {
  readonly runs: number;
  readonly faults: number;
  readonly firstSeed: number;
  readonly atOnce: number;
  readonly window: number;
  readonly roundTrip: number;
  readonly load: boolean;
  readonly json?: true;
};

/** `npm run hostile`: whole runs by sockets, with Toxiproxy between the suite and the service. */
export function hostileCommand(io: CommandIo): Command {
  return new Command('hostile')
    .description(
      'runs the suite through a hostile network (Toxiproxy) against conforming services, and counts the must clauses called violated',
    )
    .option(
      '--runs <n>',
      'how many runs against services that conform',
      wholeNumber({ min: 0, max: 100_000 }),
      200,
    )
    .option(
      '--faults <n>',
      'how many services with a fault beside them, on a network that is slow and nothing else',
      wholeNumber({ min: 0, max: faults.length }),
      faults.length,
    )
    .option(
      '--round-trip <ms>',
      'how long those requests take at most, there and back',
      numberFrom({ min: 0, max: 10_000 }),
      200,
    )
    .option('--window <s>', 'the window of all services', numberFrom({ min: 1, max: 60 }), 60)
    .option('--at-once <n>', 'how many runs go on at the same time', wholeNumber({ min: 1, max: 64 }), 12)
    .option('--no-load', "leave k6's bursts out")
    .addOption(firstSeedOption(1))
    .addOption(jsonOption())
    .action((flags: Flags, command: Command) => runCampaign(flags, io, command));
}

async function runCampaign(flags: Flags, io: CommandIo, command: Command): Promise<void> {
  const onProgress = (text: string): void => void io.stderr.write(`${text}\n`);
  const found = await findToxiproxy({ env: process.env, onProgress });
  if (found.kind === 'missing') command.error(`error: hostile needs Toxiproxy: ${found.reason}`);
  const toxiproxy = await startToxiproxy({ path: found.path, seed: flags.firstSeed });
  const folder = await mkdtemp(join(tmpdir(), 'hostile-'));
  const began = performance.now();
  const stop = new AbortController();
  const onInterrupt = (): void => stop.abort();
  process.once('SIGINT', onInterrupt);
  const said: Said = { say: onProgress, stop: stop.signal };
  try {
    const surroundings: Surroundings = {
      toxiproxy,
      folder: join(folder, 'runs'),
      load: flags.load ? 'bursts' : 'none',
      windowSeconds: flags.window,
      signal: new AbortController().signal,
    };
    await mkdir(surroundings.folder);
    const rows = await playConforming(flags, surroundings, said);
    const caught = await playFaults(flags, surroundings, said);
    const seconds = (performance.now() - began) / 1_000;
    const figures = { rows, faults: caught, roundTripMsMax: flags.roundTrip, seconds };
    io.stdout.write(flags.json === true ? `${JSON.stringify(figures, null, 2)}\n` : hostileText(figures));
    io.exit(problemsOf(figures).length === 0 ? 0 : 1);
  } finally {
    process.off('SIGINT', onInterrupt);
    await toxiproxy.close();
    // Only empty ones can be removed: traces of runs with a mistake stay.
    await rmdir(join(folder, 'runs')).catch(() => undefined);
    await rmdir(folder).catch(() => undefined);
  }
}

/**
 * Between the begins of two runs, ms: the first requests of many at once would wait for each other, and a window that
 * began within a second and a half is not known better than that.
 */
const apartMs = 3_000;

/** What is said of each run; and when no more are begun: Ctrl-C ends a campaign with what it has shown so far. */
type Said = { readonly say: (text: string) => void; readonly stop: AbortSignal };

function playConforming(
  { runs, firstSeed, atOnce }: Flags,
  surroundings: Surroundings,
  { say, stop: signal }: Said,
): Promise<readonly HostileRow[]> {
  const seeds = Array.from({ length: runs }, (_, at) => firstSeed + at);
  return inTurn(seeds, {
    atOnce,
    apartMs,
    signal,
    play: (seed) => playHostile(seed, surroundings),
    onPlayed: ({ seed, network, service, wrong, open, incomplete }) =>
      say(
        [
          `seed ${seed} ${network}, ${service}:`,
          `${wrong.length} wrong, ${open.length} open${incomplete === null ? '' : `; ${incomplete}`}`,
        ].join(' '),
      ),
  });
}

function playFaults(
  { faults: count, window: windowSeconds, roundTrip: roundTripMsMax, firstSeed, atOnce }: Flags,
  surroundings: Surroundings,
  { say, stop: signal }: Said,
): Promise<readonly FaultRow[]> {
  const chosen = Array.from({ length: count }, (_, at) => faults[(firstSeed - 1 + at) % faults.length]);
  return inTurn(
    chosen.filter((fault) => fault !== undefined),
    {
      atOnce,
      apartMs,
      signal,
      play: (fault) => playFault({ fault, windowSeconds, roundTripMsMax }, surroundings),
      onPlayed: ({ fault, how, wrong }) =>
        say(
          `${fault}: ${how === 'missed' ? 'NOT CAUGHT' : how}${wrong.length === 0 ? '' : `, wrong: ${wrong}`}`,
        ),
    },
  );
}
