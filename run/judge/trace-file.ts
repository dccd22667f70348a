import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Rows, TraceError } from '../../contract/ndjson.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { fileRows } from './file-rows.ts';

export const traceFileName = 'trace.ndjson';

/** A trace of any kind, as it was saved. */
export type TraceFile = {
  readonly path: string;
  /** All of it; its first row alone where it is too long for one text. */
  readonly text: string;
  /** Its rows, where it is too long for one text. */
  readonly rows?: () => Iterable<string>;
};

/** No text of JavaScript is longer than 512 MiB, and many are held twice while they are read. */
const textBytesMax = 256_000_000;

/** The file of a trace that is named by itself or by its folder. */
export async function traceIn(path: string): Promise<string> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder ? join(path, traceFileName) : path;
}

/** @throws {UsageError} where it cannot be read. */
export function readTrace(path: string): Promise<TraceFile> {
  return readTraceWithin(textBytesMax, path);
}

/** The same, with another bound on what is one text. */
export async function readTraceWithin(bytesMax: number, path: string): Promise<TraceFile> {
  try {
    if ((await stat(path)).size > bytesMax) {
      const [first = ''] = fileRows(path);
      return { path, text: first, rows: () => fileRows(path) };
    }
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
  { path, text, rows }: TraceFile,
  parse: (rows: Rows) => Trace,
  otherwise: string,
): Trace {
  try {
    return parse(rows?.() ?? text);
  } catch (error) {
    if (!(error instanceof TraceError)) throw error;
    throw new UsageError(`${path} ${otherwise}: ${error.message}.`);
  }
}
