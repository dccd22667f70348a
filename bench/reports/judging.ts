import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { fileRows } from '../../run/judge/file-rows.ts';
import { judgeFile } from '../../run/judge/judge-file.ts';
import { documentAlone } from '../../run/judge/judging.ts';
import { parsedTrace, readTrace } from '../../run/judge/trace-file.ts';
import { writeReports } from '../../run/judge/write-reports.ts';

/** What a process of its own does with a trace. */
export type Job = 'parse' | 'verdicts' | 'whole';

/** What it took; the peak is of the whole process, what Node and the program's own code take among it. */
export type Judging = {
  readonly cpuSeconds: number;
  /** By the clock: several threads judge a long trace. */
  readonly seconds: number;
  readonly peakMegabytes: number;
};

const doing: Readonly<Record<Job, (path: string) => void | Promise<void>>> = {
  parse: (path) => {
    for (const row of fileRows(path)) if (row !== '') JSON.parse(row);
  },
  verdicts: async (path) => {
    judgeTrace(parsedTrace(await readTrace(path), 'cannot be judged'));
  },
  whole: async (path) => {
    const folder = await mkdtemp(join(tmpdir(), 'bench-judge-'));
    try {
      await writeReports(folder, await judgeFile(await readTrace(path), documentAlone));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const [job = '', path = ''] = process.argv.slice(2);
const before = process.cpuUsage();
const began = performance.now();
await doing[job as Job](path);
const { user, system } = process.cpuUsage(before);
const judging: Judging = {
  cpuSeconds: (user + system) / 1e6,
  seconds: (performance.now() - began) / 1_000,
  peakMegabytes: (process.resourceUsage().maxRSS * 1_024) / 1e6,
};
process.stdout.write(JSON.stringify(judging));
