import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import type { IdentifiedGroup } from '../../contract/identification.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { parseTrace } from '../../contract/trace.ts';
import { groupsOf } from '../../judge/entries.ts';
import { identifyGroups } from '../../judge/identify/identify-groups.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';

/** What this process leaves for the one that renders, which is measured apart from it. */
export type JudgedAndIdentified = {
  readonly judgement: Judgement;
  readonly identified: readonly IdentifiedGroup[];
};

const [tracePath = '', outPath = ''] = process.argv.slice(2);
const trace = parseTrace(await readFile(tracePath, 'utf8'));
const judged: JudgedAndIdentified = {
  judgement: judgeTrace(trace),
  identified: identifyGroups(groupsOf(trace)),
};
await writeFile(outPath, JSON.stringify(judged));
