import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TraceHeader, TraceLine } from '../../contract/trace.ts';

/** Writes a trace of some kind, line by line. */
export type LineWriter<Line> = {
  readonly path: string;
  /** Appends one line; it is with the operating system when this returns, so a run that dies leaves it. */
  readonly write: (line: Line) => void;
  readonly close: () => void;
};

export type TraceWriter = LineWriter<TraceLine>;

/**
 * Opens a new trace of a run and writes its header.
 * @throws where the file exists already or cannot be created.
 */
export function openTrace(path: string, header: TraceHeader): TraceWriter {
  return openLines<TraceLine>(path, header);
}

/**
 * Opens a new file of JSON lines and writes its first one.
 * @throws where the file exists already or cannot be created.
 */
export function openLines<Line extends { readonly kind: string }>(
  path: string,
  first: Line,
): LineWriter<Line> {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'wx', 0o644);
  let isOpen = true;
  const write = (line: Line): void => {
    if (isOpen) writeSync(file, `${JSON.stringify(line)}\n`);
  };
  write(first);
  return {
    path,
    write,
    close: () => {
      if (isOpen) closeSync(file);
      isOpen = false;
    },
  };
}
