import type { WriteStream } from 'node:tty';
import type { DisplayKind } from '../display/display.ts';
import type { Environment } from '../settings/take-keys.ts';
import type { KeyRemover } from './without-keys.ts';

/** What is known of a run while it goes on, for whoever has to say that it broke off. */
export type Session = {
  traceFile: string | null;
  removeKeys: KeyRemover;
};

/** What a run needs of the process around it. */
export type RunContext = {
  readonly env: Environment;
  readonly cwd: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Where progress goes: standard output, or standard error where that is kept for the report. */
  readonly progress: WriteStream;
  readonly display: DisplayKind;
  readonly session: Session;
};
