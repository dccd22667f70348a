import process from 'node:process';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { fileRows } from '../../run/judge/file-rows.ts';
import { parsedTrace, readTrace } from '../../run/judge/trace-file.ts';
import { beginWork } from './told-at-exit.js';

/** What a process of its own does with a trace. */
export type Job = 'parse' | 'verdicts';

const doing: Readonly<Record<Job, (path: string) => void | Promise<void>>> = {
  parse: (path) => {
    for (const row of fileRows(path)) if (row !== '') JSON.parse(row);
  },
  verdicts: async (path) => {
    judgeTrace(parsedTrace(await readTrace(path), 'cannot be judged'));
  },
};

const [job = '', path = ''] = process.argv.slice(2);
beginWork();
await doing[job as Job](path);
