import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { median } from './cpu-seconds.ts';
import { inTurns } from './in-turns.ts';
import type { Bench, Measure } from './measure.ts';
import { writeLongTrace } from './reports/long-trace.ts';

const exchanges = 2_000;
const sources = join(import.meta.dirname, '..', 'scripts');
const program = join(sources, 'conformance.js');

/** Whole processes by the clock, in turn; each command once before, so that Node has compiled it. */
export const commandsBench: Bench = {
  name: 'commands',
  about: `commands that send nothing, by the clock, from the start of the process to its end; the peer is \`node -e 0\`, the same Node that does nothing. The saved run has ${exchanges.toLocaleString('en')} exchanges: \`judge\` prints its verdicts, and with \`--out\` the limiters are identified too and all reports written. The package is what \`npm run build\` makes`,
  run: async (say, { secondsEach }) => {
    const folder = await mkdtemp(join(tmpdir(), 'bench-commands-'));
    try {
      const trace = join(folder, 'trace.ndjson');
      writeLongTrace(trace, exchanges);
      await run(process.execPath, [join(sources, 'package', 'build.ts'), join(folder, 'dist')]);
      // As in the package: without it Node tries for each file whether it is a module.
      await writeFile(join(folder, 'package.json'), '{"type":"module"}');
      const built = join(folder, 'dist', 'conformance.js');
      const measured = {
        nothing: () => tookMs(['-e', '0']),
        help: () => tookMs([program, '--help']),
        judge: () => tookMs([program, 'judge', trace]),
        // A folder of its own for each: a report's name is the time of its run.
        reports: async () =>
          tookMs([program, 'judge', trace, '--out', await mkdtemp(join(folder, 'report-'))]),
        builtHelp: () => tookMs([built, '--help']),
        builtJudge: () => tookMs([built, 'judge', trace]),
        builtReports: async () =>
          tookMs([built, 'judge', trace, '--out', await mkdtemp(join(folder, 'report-'))]),
      };
      for (const [name, once] of Object.entries(measured)) {
        say(name);
        await once();
      }
      const took = await inTurns(secondsEach, measured);
      const base = median(took.nothing);
      return [
        row('--help', { ms: median(took.help), base, bar: { times: 2 } }),
        row('judge, a saved run', { ms: median(took.judge), base, bar: { times: 6 } }),
        row('judge --out, a saved run', { ms: median(took.reports), base }),
        row('--help, of the package', { ms: median(took.builtHelp), base, bar: { ms: 150 } }),
        row('judge, of the package', { ms: median(took.builtJudge), base, bar: { ms: 600 } }),
        row('judge --out, of the package', { ms: median(took.builtReports), base }),
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** At most so long, or so many times as long as the peer. */
type Bar = { readonly ms: number } | { readonly times: number };

type Took = { readonly ms: number; readonly base: number; readonly bar?: Bar };

function row(measured: string, { ms, base, bar }: Took): Measure {
  const ratio = ms / base;
  return {
    measured,
    ours: `${ms.toFixed(0)} ms`,
    peer: `${base.toFixed(0)} ms`,
    ratio,
    ...(bar === undefined ? {} : { bar: barOf(bar, { ms, ratio }) }),
  };
}

function barOf(bar: Bar, { ms, ratio }: { readonly ms: number; readonly ratio: number }) {
  return 'ms' in bar
    ? { text: `≤ ${bar.ms} ms`, isMet: ms <= bar.ms }
    : { text: `≤ ${bar.times} ×`, isMet: ratio <= bar.times };
}

const run = promisify(execFile);

async function tookMs(args: readonly string[]): Promise<number> {
  const began = performance.now();
  // What is judged is no question here: a verdict of another kind is a status other than 0.
  await run(process.execPath, args).catch((error: { code?: unknown }) => {
    if (![1, 3].includes(Number(error.code))) throw error;
  });
  return performance.now() - began;
}
