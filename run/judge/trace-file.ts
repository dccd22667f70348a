import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TraceError } from '../../contract/ndjson.ts';
import { UsageError } from '../../contract/usage-error.ts';

export const traceFileName = 'trace.ndjson';

/** A trace of any kind, as it was saved. */
export type TraceFile = { readonly path: string; readonly text: string };

/** The file of a trace that is named by itself or by its folder. */
export async function traceIn(path: string): Promise<string> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder ? join(path, traceFileName) : path;
}

/** @throws {UsageError} where it cannot be read. */
export async function readTrace(path: string): Promise<TraceFile> {
  try {
    return { path, text: await readFile(path, 'utf8') };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `The trace cannot be read: ${why}. Give the path of a ${traceFileName}, or of its folder.`,
    );
  }
}

/**
 * The trace in a file.
 * @param otherwise what the file is where it is no such trace, e.g. "cannot be replayed".
 * @throws {UsageError} naming the file and the line.
 */
export function parsedFile<Trace>(
  { path, text }: TraceFile,
  parse: (text: string) => Trace,
  otherwise: string,
): Trace {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TraceError)) throw error;
    throw new UsageError(`${path} ${otherwise}: ${error.message}.`);
  }
}
