import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { formatTraceLine, type TraceHeader, type TraceLine } from '../contract/trace.ts';

export type TraceWriter = {
  readonly path: string;
  /** Appends one line; it is with the operating system when this returns, so a run that dies leaves it. */
  readonly write: (line: TraceLine) => void;
  readonly close: () => void;
};

/**
 * Opens a new trace and writes its header.
 * @throws where the file exists already or cannot be created.
 */
export function openTrace(path: string, header: TraceHeader): TraceWriter {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'wx', 0o644);
  let isOpen = true;
  const write = (line: TraceLine): void => {
    if (isOpen) writeSync(file, formatTraceLine(line));
  };
  write(header);
  return {
    path,
    write,
    close: () => {
      if (isOpen) closeSync(file);
      isOpen = false;
    },
  };
}
