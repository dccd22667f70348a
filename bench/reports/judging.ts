import process from 'node:process';
import { mergeTraces } from '../../contract/merge-traces.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { fileRows } from '../../run/judge/file-rows.ts';
import { parsedTrace, readTrace } from '../../run/judge/trace-file.ts';
import { beginWork } from './told-at-exit.js';

/** What a process of its own does with a trace, or with several as one. */
export type Job = 'parse' | 'verdicts';

const doing: Readonly<Record<Job, (paths: readonly string[]) => void | Promise<void>>> = {
  parse: (paths) => {
    for (const path of paths) for (const row of fileRows(path)) if (row !== '') JSON.parse(row);
  },
  verdicts: async (paths) => {
    const files = await Promise.all(paths.map(readTrace));
    const traces = files.map((file) => parsedTrace(file, 'cannot be judged'));
    judgeTrace(mergeTraces(traces, { clockOffsetMsMax: 0 }));
  },
};

const [job = '', ...paths] = process.argv.slice(2);
beginWork();
await doing[job as Job](paths);
