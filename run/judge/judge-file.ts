import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { kindOfTrace, type TraceKind } from '../../contract/ndjson.ts';
import type { Merging } from './judge-deployment.ts';
import type { JudgedTrace } from './judged.ts';
import type { Judging } from './judging.ts';
import { type Threads, threadsBeside } from './shard-threads.ts';
import { readTrace, type TraceFile } from './trace-file.ts';

/**
 * Judges a trace of whatever kind, which its first line names.
 * @throws {UsageError} where the file is no trace; names the line.
 */
export async function judgeFile(file: TraceFile, judging: Judging): Promise<JudgedTrace> {
  return judges[kindOfTrace(file.text) ?? 'deployment'](file, judging);
}

/**
 * Judges several traces of one deployment as one.
 * @throws {UsageError} where one of them is no such trace, or they cannot be one.
 */
export function judgeAsOne(merging: Merging, judging: Judging): Promise<JudgedTrace<'deployment'>> {
  return withThreads(merging.files, judging, (judges, of) => judges.judgeMerged(merging, judging, of));
}

/**
 * Judges a saved trace of a known kind.
 * @throws {UsageError} where the file cannot be read or is no such trace; names the line.
 */
export async function judgeSaved<Kind extends TraceKind>(
  kind: Kind,
  path: string,
  judging: Judging,
): Promise<JudgedTrace<Kind>> {
  return judges[kind](await readTrace(path), judging);
}

/** Judges a trace that was just saved, and writes its reports beside it. */
export async function judgeAndReport<Kind extends TraceKind>(
  kind: Kind,
  path: string,
  judging: Judging,
): Promise<JudgedTrace<Kind>> {
  const judged = await judgeSaved(kind, path, judging);
  const { writeReports } = await import('./write-reports.ts');
  return writeReports(dirname(path), judged);
}

/**
 * Loads what judging a run and reporting on it takes, for who has the time before there is anything to judge. In parts,
 * between which other things can happen.
 */
export async function loadJudges(): Promise<void> {
  const parts = [
    () => import('./judge-deployment.ts'),
    () => import('./judge-capture.ts'),
    () => import('./shards.ts'),
    () => import('./write-reports.ts'),
  ];
  for (const load of parts) {
    await load();
    await setImmediate();
  }
}

/** Each is loaded where a trace of its kind is judged: all of them take half a second, and half of the memory of a short trace. */
const judges: {
  readonly [Kind in TraceKind]: (file: TraceFile, judging: Judging) => Promise<JudgedTrace<Kind>>;
} = {
  deployment: judgeDeployment,
  capture: async (file, judging) => (await import('./judge-capture.ts')).judgeCapture(file, judging),
  drive: async (file) => (await import('./judge-drive.ts')).judgeDriven(file),
  client: async (file) => (await import('./judge-client-file.ts')).judgeClientFile(file),
};

function judgeDeployment(file: TraceFile, judging: Judging): Promise<JudgedTrace<'deployment'>> {
  return withThreads([file], judging, (judges, of) => judges.judgeDeployment(file, judging, of));
}

async function withThreads<Judged>(
  files: readonly TraceFile[],
  judging: Judging,
  judge: (judges: typeof import('./judge-deployment.ts'), threadsOf: Threads['of']) => Promise<Judged>,
): Promise<Judged> {
  const threads = threadsBeside(files, judging);
  try {
    return await judge(await import('./judge-deployment.ts'), threads.of);
  } finally {
    threads.end();
  }
}
