import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { traceFileName } from './judge-file.ts';

/** The file of a trace that is named by itself or by its folder. */
export async function traceIn(path: string): Promise<string> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder ? join(path, traceFileName) : path;
}
