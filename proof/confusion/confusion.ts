import { Command, InvalidArgumentError, Option } from 'commander';
import { type CommandIo, firstSeedOption, jsonOption, numberFrom, wholeNumber } from '../command.ts';
import { playAll } from '../pool.ts';
import { type KnownClass, knownClasses } from './classes.ts';
import { confusionText, tunedBelowSeed } from './confusion-text.ts';
import { problemsOf, type Row, rowOf } from './tally.ts';
import type { Conditions } from './trial.ts';
import { playTrials, type Subject, trialBatches } from './trial-batch.ts';

/** Limits of the documented scopes. */
const limits = [30, 120, 300] as const;

/** Beside windows of a minute there are shorter ones, so many times fewer. A gap between requests has no window. */
const beside = { windowSeconds: 45, fewer: 8 } as const;

type Flags = {
  readonly runs: number;
  readonly firstSeed: number;
  /** Seconds; absent: 60, and some of 45 beside them. */
  readonly window?: number;
  readonly expected: number | 'none';
  readonly windows: 'auto' | '1' | '2';
  /** Milliseconds. */
  readonly jitter: number;
  readonly only?: string;
  readonly json?: true;
};

const usualSeconds = 60;

const secondsOf = numberFrom({ min: 0, max: 300 });

/** `npm run confusion`: how often the identification names a limiter rightly. */
export function confusionCommand(io: CommandIo): Command {
  return new Command('confusion')
    .description('plays limiters of every class against the identification, and counts how they are named')
    .option('--runs <n>', 'runs of each class at each limit', wholeNumber({ min: 1, max: 1_000_000 }), 40)
    .addOption(firstSeedOption(tunedBelowSeed))
    .option(
      '--window <seconds>',
      `length of the windows (default: ${usualSeconds}, and an eighth as many of ${beside.windowSeconds})`,
      secondsOf,
    )
    .option(
      '--expected <seconds>',
      'window that the identification expects, or none',
      (text: string) => (text === 'none' ? text : secondsOf(text)),
      60,
    )
    .addOption(new Option('--windows <n>', 'windows to watch').choices(['auto', '1', '2']).default('auto'))
    .option(
      '--jitter <ms>',
      'latency each way: this long, more or less by as much',
      numberFrom({ min: 0, max: 1_000 }),
      50,
    )
    .option('--only <text>', 'only the classes whose names hold this', partOfName)
    .addOption(jsonOption())
    .action((flags: Flags) => nameLimiters(flags, io));
}

function partOfName(text: string): string {
  const names = knownClasses.map(({ name }) => name);
  if (names.some((name) => name.includes(text))) return text;
  throw new InvalidArgumentError(`It must be a part of one of these names: ${names.join('; ')}.`);
}

/** Right only if every class is named in 99 of 100 runs, with its limit and window. */
async function nameLimiters(flags: Flags, io: CommandIo): Promise<void> {
  const { runs, firstSeed, only = '', json } = flags;
  const conditions = conditionsOf(flags);
  const rounds = [{ conditions, runs }, ...roundsBeside(flags, conditions)];
  const subjects = knownClasses.flatMap((known, place) =>
    known.name.includes(only) ? limits.map((limit): Subject => ({ known: place, limit })) : [],
  );
  const hasWindow = ({ known }: Subject): boolean => knownClasses[known]?.algorithm !== 'leaky-bucket';
  const played = rounds.flatMap((round) =>
    subjects
      .filter((subject) => round.conditions === conditions || hasWindow(subject))
      .map((subject) => ({ ...subject, ...round })),
  );
  const batches = played.flatMap((one) => trialBatches({ ...one, firstSeed }));
  const { results } = await playAll(
    {
      module: new URL('./trial-batch.ts', import.meta.url),
      play: playTrials,
      batches,
      unit: 'runs',
      unitsIn: (batch) => batch.runs,
    },
    { stream: io.stderr },
  );
  const rows: Row[] = [];
  const problems: string[] = [];
  for (const { known: place, limit, conditions: given } of played) {
    const known = knownClasses[place] as KnownClass;
    const isOwn = (at: number): boolean =>
      batches[at]?.known === place && batches[at].limit === limit && batches[at].conditions === given;
    const name = given === conditions ? known.name : `${known.name}, ${given.windowMs / 1_000} s`;
    const row = rowOf(
      { name, limit },
      results.flatMap((trials, at) => (isOwn(at) ? trials : [])),
    );
    rows.push(row);
    problems.push(...problemsOf(row, lengthShown(known, given)));
  }
  if (json === true)
    io.stdout.write(`${JSON.stringify({ firstSeed, conditions, problems, rows }, null, 2)}\n`);
  else io.stdout.write(confusionText({ rows, problems, firstSeed, runs, conditions }));
  io.exit(problems.length === 0 ? 0 : 1);
}

/** Windows of another length, which are expected if those of a minute are; none where a length was asked for. */
function roundsBeside({ window, runs }: Flags, conditions: Conditions) {
  if (window !== undefined) return [];
  const windowMs = 1_000 * beside.windowSeconds;
  const expectedWindowMs = conditions.expectedWindowMs === null ? null : windowMs;
  return [
    { conditions: { ...conditions, windowMs, expectedWindowMs }, runs: Math.ceil(runs / beside.fewer) },
  ];
}

function conditionsOf({ window = usualSeconds, expected, windows, jitter }: Flags): Conditions {
  return {
    windowMs: 1_000 * window,
    expectedWindowMs: expected === 'none' ? null : 1_000 * expected,
    windows: windows === 'auto' ? windows : (Number(windows) as 1 | 2),
    jitterMs: jitter,
  };
}

/** What of a length has to be found: a second boundary shows the length of a window on a grid. */
function lengthShown({ length, algorithm }: KnownClass, { windows }: Conditions): KnownClass['length'] {
  return windows === 2 && algorithm.startsWith('fixed-window') ? 'exact' : length;
}
