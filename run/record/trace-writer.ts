import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { formatLine } from '../../contract/ndjson.ts';
import type { EndLine } from '../../contract/trace.ts';

/** Writes a trace of some kind, line by line. */
export type TraceWriter<Line> = {
  /** Appends one line; it is with the operating system when this returns, so a run that dies leaves it. */
  readonly write: (line: Line) => void;
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
  const write = (line: Line): void => {
    if (isOpen) bytes += writeSync(file, formatLine(line));
  };
  write(header);
  return {
    write,
    bytes: () => bytes,
    close: () => {
      if (isOpen) closeSync(file);
      isOpen = false;
    },
  };
}

/** How a run ended: `reason` is `null` where it is complete. */
export type RunEnd = Pick<EndLine, 'reason' | 'stoppedBy'>;

/** Writes the last line of a trace, and closes it. */
export function endTrace(trace: TraceWriter<EndLine>, end: RunEnd, endedAtMs: number): void {
  const endedAt = new Date(endedAtMs).toISOString();
  trace.write({ kind: 'end', endedAt, complete: end.reason === null, ...end });
  trace.close();
}
