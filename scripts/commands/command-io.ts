import type { Readable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import type { Session } from '../../run/run-context.ts';
import type { Environment } from '../../run/target/keys.ts';

/** The process as commands see it. */
export type CommandIo = {
  readonly env: Environment;
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: WriteStream;
  readonly stderr: WriteStream;
  readonly session: Session;
  /** Sets the exit status; the process exits when everything is closed. */
  readonly exit: (code: number) => void;
  /** Says that the process goes on for more than a few seconds: what takes long to pay for itself may begin. */
  readonly takesLong: () => void;
  /** Says that what the process holds grows to hundreds of megabytes: it should hold little else beside it. */
  readonly holdsMuch: () => void;
};
