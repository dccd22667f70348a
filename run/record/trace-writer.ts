import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { formatLine } from '../../contract/ndjson.ts';
import type { EndLine } from '../../contract/trace-lines.ts';

/** Writes a trace of some kind, line by line. */
export type TraceWriter<Line> = {
  /** Appends one line; it is with the operating system when this returns, so a run that dies leaves it. */
  readonly write: (line: Line) => void;
  /**
   * Appends one line soon: before this process waits for anything again, and when it ends by an error. The answers to a burst
   * come in one turn, and a call of the system for each would cost more than all else of their lines.
   * @throws what an earlier line could not be written for.
   */
  readonly writeSoon: (line: Line) => void;
  /** Bytes written so far. */
  readonly bytes: () => number;
  readonly close: () => void;
};

/**
 * Opens a new trace of some kind and writes its header.
 * @throws where the file exists already or cannot be created.
 */
export function openTrace<Line extends { readonly kind: string }>(
  path: string,
  header: Line,
): TraceWriter<Line> {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'wx', 0o644);
  let isOpen = true;
  let bytes = 0;
  let waiting = '';
  let failure: { readonly error: unknown } | null = null;
  const flush = (): void => {
    const text = waiting;
    waiting = '';
    if (!isOpen || text === '') return;
    try {
      bytes += writeWhole(file, text);
    } catch (error) {
      // What is torn stays the end of its file: another line would be glued to it.
      failure ??= { error };
      throw error;
    }
  };
  // Nobody could catch what it throws: whoever writes next does.
  const flushSoon = (): void => {
    try {
      flush();
    } catch {
      // It is kept for them.
    }
  };
  // One for each turn, however many lines: those of a long turn would all be kept until its end.
  let isDue = false;
  const flushWhenDue = (): void => {
    isDue = false;
    flushSoon();
  };
  const add = (line: Line): void => {
    if (failure !== null) throw failure.error;
    waiting += formatLine(line);
  };
  const write = (line: Line): void => {
    add(line);
    flush();
  };
  unfinished.add(flushSoon);
  write(header);
  return {
    write,
    writeSoon: (line) => {
      if (!isDue) setImmediate(flushWhenDue);
      isDue = true;
      add(line);
      if (waiting.length > waitingMax) flush();
    },
    bytes: () => bytes,
    close: () => {
      if (!isOpen) return;
      flushSoon();
      unfinished.delete(flushSoon);
      closeSync(file);
      isOpen = false;
    },
  };
}

/**
 * The system may take less than it is given, and says why only when it is given the rest.
 * @returns how many bytes it is.
 * @throws where it does not take all of it.
 */
function writeWhole(file: number, text: string): number {
  const length = Buffer.byteLength(text);
  let written = writeSync(file, text);
  if (written === length) return written;
  const bytes = Buffer.from(text);
  while (written < length) written += writeSync(file, bytes, written);
  return written;
}

/** What brings the last lines of open traces to the operating system. */
const unfinished = new Set<() => void>();
process.once('exit', () => {
  for (const flush of unfinished) flush();
});

/** Characters that wait at most. */
const waitingMax = 65_536;

/** How a run ended: `reason` is `null` where it is complete. */
export type RunEnd = Pick<EndLine, 'reason' | 'stoppedBy'>;

/**
 * Writes the last line of a trace, and closes it.
 * @throws what a line could not be written for; the file is closed all the same.
 */
export function endTrace(trace: TraceWriter<EndLine>, end: RunEnd, endedAtMs: number): void {
  const endedAt = new Date(endedAtMs).toISOString();
  try {
    trace.write({ kind: 'end', endedAt, complete: end.reason === null, ...end });
  } finally {
    trace.close();
  }
}
