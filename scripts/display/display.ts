import type { WriteStream } from 'node:tty';
import type { Progress } from '../../run/progress/progress.ts';

export type DisplayOptions = {
  readonly stream: WriteStream;
  /** The rows, in the order in which they are shown. */
  readonly rows: Progress;
  /** The HTTP client's clock, which countdowns are told by. */
  readonly nowMs: () => number;
};

/** Rows that stay in place, or a line for each new phase. */
export type DisplayKind = 'live' | 'lines';

/** Rows that stay in place need a terminal, and somebody who looks at it. */
export function displayKindFor(
  stream: WriteStream,
  env: Readonly<Record<string, string | undefined>>,
): DisplayKind {
  return stream.isTTY && env['TERM'] !== 'dumb' && (env['CI'] ?? '') === '' ? 'live' : 'lines';
}
