import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { parseTrace } from '../../contract/trace.ts';
import { type Findings, findingsIn } from '../../run/judge/judge-file.ts';

/** What this process leaves for the one that renders, which is measured apart from it. */
export type Judged = Findings;

const [tracePath = '', outPath = ''] = process.argv.slice(2);
const trace = parseTrace(await readFile(tracePath, 'utf8'));
const judged: Judged = findingsIn(trace);
await writeFile(outPath, JSON.stringify(judged));
