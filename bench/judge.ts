import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { grouped } from '../contract/quantities.ts';
import { median } from './cpu-seconds.ts';
import type { Bench, BenchResult, Measure } from './measure.ts';
import type { Job as AloneJob } from './reports/judging.ts';
import { writeLongTrace } from './reports/long-trace.ts';
import { figuresOfProcess, type ProcessFigures } from './reports/process-figures.ts';

/** Traces of so many exchanges; the long ones, of which one has bars, are judged once, all others several times. */
const sizes = [1_000, 10_000, 100_000, 1_000_000, 10_000_000] as const;
const barred = 1_000_000;
const roundsOfShort = 3;
/** The size that has bars, of so many keys too. */
const manyKeys = 1_000;

const wholeSecondsMax = 20;
const wholeMegabytesMax = 400;
const verdictsByParseMax = 3;

/** Everything is done by the command itself. */
type Job = AloneJob | 'whole';

const jobs: readonly Job[] = ['parse', 'verdicts', 'whole'];

type Figures = Readonly<Record<Job, ProcessFigures>>;

/** Saved traces of more and more exchanges, judged in a process each. */
export const judgeBench: Bench = {
  name: 'judge',
  about:
    'a saved trace, judged in a process of its own: verdicts alone, and everything with identification, pictures and all reports, by the command judge; the peer reads the same lines with JSON.parse. CPU time without the start of the process, and the peak of all of it. Everything is judged by as many threads as there are cores from 16,000 exchanges on, and by one alone from 240,000 on, where little of it is identifying; from 16,000 on its heap is kept small',
  run: async (say): Promise<BenchResult> => {
    const work = await mkdtemp(join(tmpdir(), 'bench-judge-'));
    try {
      const all: Figures[] = [];
      for (const size of sizes) {
        say(`${grouped(size)} exchanges`);
        const trace = join(work, `${size}.ndjson`);
        writeLongTrace(trace, size);
        all.push(await figuresOf(trace, size < barred ? roundsOfShort : 1));
        await rm(trace);
      }
      const named = `${grouped(barred)} exchanges of ${grouped(manyKeys)} keys`;
      say(named);
      const ofMany = join(work, 'keys.ndjson');
      writeLongTrace(ofMany, barred, { keys: Array.from({ length: manyKeys }, (_, key) => `k${key}`) });
      const { measures, curves } = measured(all);
      return { measures: [...measures, ...measuresOf(named, await figuresOf(ofMany, 1), true)], curves };
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  },
};

async function figuresOf(trace: string, rounds: number): Promise<Figures> {
  const took: Record<Job, ProcessFigures[]> = { parse: [], verdicts: [], whole: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const job of jobs) {
      took[job].push(await judging(job, trace));
    }
  }
  return { parse: middle(took.parse), verdicts: middle(took.verdicts), whole: middle(took.whole) };
}

async function judging(job: Job, trace: string): Promise<ProcessFigures> {
  if (job !== 'whole')
    return figuresOfProcess(join(import.meta.dirname, 'reports', 'judging.ts'), job, trace);
  const program = join(import.meta.dirname, '..', 'scripts', 'conformance.js');
  return figuresOfProcess(program, 'judge', trace, '--out', await mkdtemp(join(dirname(trace), 'reports-')));
}

function middle(all: readonly ProcessFigures[]): ProcessFigures {
  return {
    cpuSeconds: median(all.map((one) => one.cpuSeconds)),
    seconds: median(all.map((one) => one.seconds)),
    peakMegabytes: median(all.map((one) => one.peakMegabytes)),
  };
}

function measured(all: readonly Figures[]): BenchResult {
  const line = (job: Job) => all.map((figures) => Number(figures[job].cpuSeconds.toFixed(2)));
  return {
    measures: all.flatMap((figures, at) => {
      const size = sizes[at] ?? 0;
      return measuresOf(`${grouped(size)} exchanges`, figures, size === barred);
    }),
    curves: [
      {
        title: 'Judging a saved trace',
        grows: 'exchanges',
        unit: 's of CPU',
        sizes: [...sizes],
        lines: [
          { name: 'everything', figures: line('whole') },
          { name: 'verdicts alone', figures: line('verdicts') },
          { name: 'JSON.parse of the same lines', figures: line('parse') },
        ],
      },
    ],
  };
}

function measuresOf(
  named: string,
  { parse, verdicts, whole }: Figures,
  isBound: boolean,
): readonly Measure[] {
  const byParse = verdicts.cpuSeconds / parse.cpuSeconds;
  return [
    {
      measured: `verdicts on ${named}`,
      ours: secondsText(verdicts),
      peer: secondsText(parse),
      ratio: byParse,
      ...(isBound && { bar: { text: `≤ ${verdictsByParseMax} ×`, isMet: byParse <= verdictsByParseMax } }),
    },
    {
      measured: `everything on ${named}`,
      ours: `${secondsText(whole)}, ${whole.seconds.toFixed(2)} s by the clock`,
      peer: secondsText(parse),
      ratio: whole.cpuSeconds / parse.cpuSeconds,
      ...(isBound && {
        bar: { text: `≤ ${wholeSecondsMax} s by the clock`, isMet: whole.seconds <= wholeSecondsMax },
      }),
    },
    {
      measured: `peak of everything on ${named}; of verdicts alone ${megabytesText(verdicts)}`,
      ours: megabytesText(whole),
      peer: megabytesText(parse),
      ...(isBound && {
        bar: { text: `≤ ${wholeMegabytesMax} MB`, isMet: whole.peakMegabytes <= wholeMegabytesMax },
      }),
    },
  ];
}

function megabytesText({ peakMegabytes }: ProcessFigures): string {
  return `${peakMegabytes.toFixed(0)} MB`;
}

function secondsText({ cpuSeconds }: ProcessFigures): string {
  return `${cpuSeconds.toFixed(2)} s`;
}
