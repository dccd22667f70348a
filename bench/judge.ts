import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { grouped } from '../contract/quantities.ts';
import { openWindow } from '../limiters/limiter.ts';
import { twoBucket } from '../limiters/two-bucket.ts';
import { median } from './cpu-seconds.ts';
import type { Bench, BenchResult, Measure } from './measure.ts';
import type { Job as AloneJob } from './reports/judging.ts';
import { writeLongTrace, writeNodeTraces } from './reports/long-trace.ts';
import { figuresOfProcess, type ProcessFigures } from './reports/process-figures.ts';

/** Traces of so many exchanges, one of which has bars; the longest is judged once, all others several times. */
const sizes = [1_000, 10_000, 100_000, 1_000_000, 10_000_000] as const;
const barred = 1_000_000;
const rounds = 3;
/** The size that has bars, of so many keys too, and in a trace for each of so many nodes. */
const manyKeys = 1_000;
const nodes = 8;

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
    'a saved trace, judged in a process of its own: verdicts alone, and everything with identification, pictures and all reports, by the command judge; the peer reads the same lines with JSON.parse. CPU time without the start of the process, and the peak of all of it. Everything is judged by as many threads as there are cores from 16,000 exchanges on, and by one alone from 240,000 on, where little of it is identifying; from 16,000 on its heap is kept small. Medians of three, but of the longest, which is judged once',
  run: async (say): Promise<BenchResult> => {
    const work = await mkdtemp(join(tmpdir(), 'bench-judge-'));
    try {
      const all: Figures[] = [];
      for (const size of sizes) {
        say(`${grouped(size)} exchanges`);
        const trace = join(work, `${size}.ndjson`);
        writeLongTrace(trace, size);
        all.push(await figuresOf([trace], size > barred ? 1 : rounds));
        await rm(trace);
      }
      const { measures, curves } = measured(all);
      const others: Measure[] = [];
      for (const { what, traces, write } of barredTraces) {
        const named = `${grouped(barred)} exchanges ${what}`;
        say(named);
        const paths = Array.from({ length: traces }, (_, at) => join(work, `${at}.ndjson`));
        write(paths);
        others.push(...measuresOf(named, await figuresOf(paths, rounds), true));
      }
      return { measures: [...measures, ...others], curves };
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  },
};

/** Other traces of the size that has bars; of each how many there are that are judged as one. */
const barredTraces: readonly {
  readonly what: string;
  readonly traces: number;
  readonly write: (paths: readonly string[]) => void;
}[] = [
  {
    what: `of ${grouped(manyKeys)} keys`,
    traces: 1,
    write: ([path = '']) =>
      writeLongTrace(path, barred, { keys: Array.from({ length: manyKeys }, (_, key) => `k${key}`) }),
  },
  {
    what: 'that are counted in two weighed windows, and so break the promise',
    traces: 1,
    write: ([path = '']) => writeLongTrace(path, barred, { open: (rate) => openWindow(twoBucket(rate)) }),
  },
  {
    what: `in one trace for each of ${nodes} nodes, judged as one`,
    traces: nodes,
    write: (paths) => writeNodeTraces(paths, barred),
  },
];

async function figuresOf(traces: readonly string[], times: number): Promise<Figures> {
  const took: Record<Job, ProcessFigures[]> = { parse: [], verdicts: [], whole: [] };
  for (let time = 0; time < times; time += 1) {
    for (const job of jobs) {
      took[job].push(await judging(job, traces));
    }
  }
  return { parse: middle(took.parse), verdicts: middle(took.verdicts), whole: middle(took.whole) };
}

async function judging(job: Job, traces: readonly string[]): Promise<ProcessFigures> {
  if (job !== 'whole')
    return figuresOfProcess(join(import.meta.dirname, 'reports', 'judging.ts'), job, ...traces);
  const program = join(import.meta.dirname, '..', 'scripts', 'conformance.js');
  const [first = ''] = traces;
  const out = await mkdtemp(join(dirname(first), 'reports-'));
  try {
    return await figuresOfProcess(program, 'judge', ...traces, '--out', out);
  } finally {
    await rm(out, { recursive: true, force: true });
  }
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
