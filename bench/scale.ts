import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { grouped } from '../contract/quantities.ts';
import { median } from './cpu-seconds.ts';
import type { Bench, Measure } from './measure.ts';
import { requestsPerKey, writeLongTrace } from './reports/long-trace.ts';
import { figuresOfProcess, type ProcessFigures } from './reports/process-figures.ts';

const keys = 1_000;
const nodes = 8;
const dayMs = 86_400_000;
const requestsADay = requestsPerKey(dayMs);
const rounds = 3;

/** Keys of one trace, few and many, and what each sends. */
const together = { few: 1_000, many: 10_000, requestsEach: 100, timesMax: 20 } as const;

/** A day of many keys, on as many cores as there are: judged key by key, in a process each. */
export const scaleBench: Bench = {
  name: 'scale',
  about: `${grouped(keys)} keys on ${nodes} nodes for 24 h, each scope pressed beyond its limit: ${grouped(keys * requestsADay)} requests, ${grouped(requestsADay)} of each key. A day of one key is written and judged, by the clock, from the start of the process to its end; the rest is reckoned from it. And ${grouped(together.requestsEach)} requests of each of ${grouped(together.few)} and of ${grouped(together.many)} keys, each in one trace: verdicts, CPU time`,
  remarks: [
    'What is said of a key takes the requests of that key alone, and those to all nodes (`bench/reports/by-key.test.ts` holds it): so a trace is split into one for each key, which has the first and the last line of the whole and the lines of that key, and each is judged in a process of its own, as many at once as there are cores. What several keys show together, that each has limits of its own, one run with two keys shows.',
  ],
  run: async (say) => {
    const folder = await mkdtemp(join(tmpdir(), 'bench-scale-'));
    try {
      const traces = Array.from({ length: availableParallelism() }, (_, at) => join(folder, `${at}.ndjson`));
      say(`writing a day of one key, ${traces.length} times`);
      for (const trace of traces) writeLongTrace(trace, requestsADay, { keys: ['A'], nodes });
      const measures: Measure[] = [];
      for (const atOnce of new Set([1, traces.length])) {
        say(`judging ${atOnce} at once, ${rounds} times`);
        const all: ProcessFigures[][] = [];
        for (let round = 0; round < rounds; round += 1) all.push(await judged(traces.slice(0, atOnce)));
        measures.push(...measuresOf(atOnce, all));
      }
      say(`judging ${grouped(together.few)} and ${grouped(together.many)} keys in one trace each`);
      return [...measures, await ofManyKeys(join(folder, 'keys.ndjson'))];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** What each of several processes takes that judge a trace each, at the same time. */
function judged(traces: readonly string[]): Promise<ProcessFigures[]> {
  const child = join(import.meta.dirname, 'reports', 'judging.ts');
  return Promise.all(
    traces.map(async (trace) => {
      const began = performance.now();
      const judging = await figuresOfProcess(child, 'verdicts', trace);
      return { ...judging, seconds: (performance.now() - began) / 1_000 };
    }),
  );
}

/** Ten times the keys in one trace, each with as many requests: ten times the requests. */
async function ofManyKeys(trace: string): Promise<Measure> {
  const secondsOf = async (count: number): Promise<number> => {
    const names = Array.from({ length: count }, (_, key) => `k${key}`);
    writeLongTrace(trace, count * together.requestsEach, { keys: names, nodes });
    const all: ProcessFigures[] = [];
    for (let round = 0; round < rounds; round += 1) all.push(...(await judged([trace])));
    return median(all.map(({ cpuSeconds }) => cpuSeconds));
  };
  const few = await secondsOf(together.few);
  const many = await secondsOf(together.many);
  return {
    measured: `${grouped(together.many)} keys in one trace, beside ${grouped(together.few)}`,
    ours: `${many.toFixed(1)} s`,
    peer: `${few.toFixed(1)} s`,
    ratio: many / few,
    bar: { text: `≤ ${together.timesMax} ×`, isMet: many <= together.timesMax * few },
  };
}

function measuresOf(atOnce: number, all: readonly (readonly ProcessFigures[])[]): readonly Measure[] {
  const seconds = median(all.map((round) => Math.max(...round.map((one) => one.seconds))));
  const megabytes = Math.max(...all.flat().map(({ peakMegabytes }) => peakMegabytes));
  const on = atOnce === 1 ? 'on 1 core' : `on ${atOnce} cores, ${atOnce} at once`;
  return [
    {
      measured: `a day of one key, ${on}`,
      ours: `${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB each`,
    },
    {
      measured: `a day of ${grouped(keys)} keys, ${on}`,
      ours: `${((keys * seconds) / atOnce / 3_600).toFixed(1)} h`,
    },
  ];
}
