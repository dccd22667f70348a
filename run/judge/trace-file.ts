import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { parseLongTrace } from '../../contract/long-trace.ts';
import { kindOfTrace, type Rows, TraceError, type TraceKind } from '../../contract/ndjson.ts';
import { messageOf } from '../../contract/thrown.ts';
import { parseTrace, type Trace } from '../../contract/trace.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { fileBytes, fileRows } from './file-rows.ts';

export const traceFileName = 'trace.ndjson';

/** A trace of any kind, as it was saved. */
export type TraceFile = {
  readonly path: string;
  /** All of it; its first row alone where it is read row by row. */
  readonly text: string;
  /** Its rows, where it is too long for one text, or need not be one. */
  readonly rows?: () => Iterable<string>;
};

/** No text of JavaScript is longer than 512 MiB, and many are held twice while they are read. */
const textBytesMax = 256_000_000;

/** Traces of these kinds can be read row by row, and are held only up to this size. */
const readByRow: readonly (TraceKind | null)[] = ['capture', 'deployment'];
const heldBytesMax = 8_000_000;

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
    const { size } = await stat(path);
    const [first = ''] = size > Math.min(bytesMax, heldBytesMax) ? fileRows(path) : [];
    if (size > bytesMax || (size > heldBytesMax && readByRow.includes(kindOfTrace(first))))
      return { path, text: first, rows: () => fileRows(path) };
    return { path, text: await readFile(path, 'utf8') };
  } catch (error) {
    const why = messageOf(error);
    throw new UsageError(`The trace cannot be read: ${why}. ${whatToGive}`);
  }
}

const whatToGive = `Give the path of a ${traceFileName}, or of its folder.`;

/** All of a trace, once more each time. */
export function rowsOf({ text, rows }: TraceFile): Rows {
  return rows?.() ?? text;
}

/**
 * The trace of a deployment, or of an identification, in a file.
 * @throws {UsageError} naming the file and the line.
 */
export function parsedTrace(file: TraceFile, otherwise: string): Trace {
  const { path, rows } = file;
  return rows === undefined
    ? parsedFile(file, parseTrace, otherwise)
    : parsedFile(file, () => parseLongTrace(fileBytes(path)), otherwise);
}

/** The SHA-256 of a file, in hexadecimal digits. */
export function digestOf({ path, text, rows }: TraceFile): string {
  return digestOfTexts(rows === undefined ? [text] : fileBytes(path));
}

/** The same of what texts, or bytes, are together. */
export function digestOfTexts(texts: Iterable<string | Uint8Array>): string {
  const hash = crypto().createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('hex');
}

/** Loaded where a digest is wanted: only certificates have one, and loading it takes a tenth of the time of a short trace. */
function crypto() {
  return process.getBuiltinModule('node:crypto');
}

/**
 * The trace in a file.
 * @param otherwise what the file is where it is no such trace, e.g. "cannot be replayed".
 * @throws {UsageError} naming the file and the line.
 */
export function parsedFile<Trace>(file: TraceFile, parse: (rows: Rows) => Trace, otherwise: string): Trace {
  try {
    return parse(rowsOf(file));
  } catch (error) {
    if (!(error instanceof TraceError)) throw error;
    const advice = whatItIs(file.text) ?? (kindOfTrace(file.text) === null ? whatToGive : null);
    throw new UsageError(
      `${file.path} ${otherwise}: ${error.message}.${advice === null ? '' : ` ${advice}`}`,
    );
  }
}

/** What a text is that was no NDJSON in UTF-8 before it was read as such; `null` where its beginning does not tell. */
function whatItIs(text: string): string | null {
  if (text.startsWith('\x1f\ufffd')) return 'It is compressed: unpack it first (gunzip).';
  if (text.startsWith('\ufeff'))
    return 'It begins with a byte order mark, which JSON does not have: save it as UTF-8 without one.';
  // What read UTF-16 as UTF-8 found no letter in its byte order mark.
  return text.startsWith('\ufffd\ufffd')
    ? 'It is in UTF-16, as Windows PowerShell writes with ">": save it as UTF-8.'
    : null;
}

/** What is said of a file that none of the judges reads. */
export const notJudged = 'is no trace that can be judged';
