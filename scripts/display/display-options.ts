import type { WriteStream } from 'node:tty';
import type { Progress } from '../../run/progress/progress.ts';

export type DisplayOptions = {
  readonly stream: WriteStream;
  /** The rows, in the order in which they are shown. */
  readonly rows: Progress;
  /** The HTTP client's clock, for countdowns. */
  readonly nowMs: () => number;
};
