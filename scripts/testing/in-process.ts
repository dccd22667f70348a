import { Readable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import type { CommandIo } from '../commands/command-io.ts';
import { explain } from '../main.ts';
import { programOf } from '../program.ts';
import { type EndedCommand, sharedCache } from './command-line.ts';

export type Around = {
  readonly env?: Readonly<Record<string, string>>;
  /** What a person types, a line for each; left out: nobody is there. */
  readonly answers?: readonly string[];
  /** Called with the whole output so far, whenever there is more. */
  readonly onOutput?: (text: string) => void;
};

/**
 * Runs a command line in this process, with output as if it went to a file. For commands that do not change the process:
 * a new process for each takes most of a second.
 */
export async function inProcess(
  args: readonly string[],
  cwd: string,
  { env = {}, answers, onOutput }: Around = {},
): Promise<EndedCommand> {
  const said = { stdout: '', stderr: '' };
  let code = 0;
  const stream = (name: keyof typeof said) => {
    const write = (text: string): boolean => {
      said[name] += text;
      onOutput?.(said.stdout + said.stderr);
      return true;
    };
    return { write, isTTY: false, columns: undefined } as unknown as WriteStream;
  };
  const io: CommandIo = {
    env: { XDG_CACHE_HOME: sharedCache(), ...env },
    cwd,
    stdin: Object.assign(Readable.from((answers ?? []).map((line) => `${line}\n`)), {
      isTTY: answers !== undefined,
    }),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    session: { traceFile: null, removeKeys: (text) => text, hidden: [] },
    exit: (status) => {
      code = status;
    },
    // This process goes on.
    takesLong: () => undefined,
    holdsMuch: () => undefined,
  };
  try {
    const program = await programOf(io, args);
    await program.parseAsync(['node', 'conformance', ...args]);
  } catch (error) {
    code = explain(error, { io, stack: 'hidden' });
  }
  return { code, ...said };
}
