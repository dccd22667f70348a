import type { WriteStream } from 'node:tty';
import { plainLines } from './lines.ts';
import { liveRows } from './live.ts';
import type { Progress, ProgressEvent } from './progress.ts';

/** Shows a run while it happens. */
export type Display = {
  readonly show: (event: ProgressEvent) => void;
  /** Leaves the last state on the screen. */
  readonly close: () => Promise<void>;
};

export type DisplayOptions = {
  readonly stream: WriteStream;
  /** The rows, in the order in which they are shown. */
  readonly rows: Progress;
  /** The driver's clock, which countdowns are told by. */
  readonly nowMs: () => number;
};

/** Rows that stay in place, or a line for each new phase. */
export type DisplayKind = 'live' | 'lines';

export function openDisplay(kind: DisplayKind, options: DisplayOptions): Display {
  return kind === 'live' ? liveRows(options) : plainLines(options);
}

/** Rows that stay in place need a terminal, and somebody who looks at it. */
export function displayKindFor(
  stream: WriteStream,
  env: Readonly<Record<string, string | undefined>>,
): DisplayKind {
  return stream.isTTY && env['TERM'] !== 'dumb' && (env['CI'] ?? '') === '' ? 'live' : 'lines';
}
