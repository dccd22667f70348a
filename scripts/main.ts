import process from 'node:process';
import { CommanderError } from 'commander';
import { codeOf, messageOf } from '../contract/thrown.ts';
import { UsageError } from '../contract/usage-error.ts';
import type { Session } from '../run/run-context.ts';
import { shownPath } from '../run/shown-path.ts';
import { ServiceError } from '../service/service-error.ts';
import type { CommandIo } from './commands/command-io.ts';
import { guardOutput } from './guarded-output.ts';
import { asksForVersions, programOf } from './program.ts';
import { keepHeapSmall } from './small-heap.ts';

const exitUnusableInput = 2;
const exitOwnError = 4;

/** Runs one command line; sets the exit status of the process. */
export async function main(argv: readonly string[]): Promise<void> {
  const session: Session = { traceFile: null, removeKeys: (text) => text, hidden: [] };
  const { env, stdin, stdout, stderr } = process;
  removeEmptySettings(env);
  const io: CommandIo = {
    env,
    cwd: process.cwd(),
    stdin,
    stdout,
    stderr,
    session,
    exit: (code) => {
      process.exitCode = code;
    },
    takesLong: takeSlowCompiler,
    holdsMuch: keepHeapSmall,
  };
  for (const stream of [stdout, stderr]) guardOutput(stream, session);
  const stack = env['DEBUG'] !== undefined || argv.includes('--debug') ? 'shown' : 'hidden';
  // The reader of the output may stop before its end, as `head` does: that is no error.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  const onCrash = (error: unknown): never => process.exit(explain(error, { io, stack }));
  process.on('uncaughtException', onCrash);
  process.on('unhandledRejection', onCrash);
  try {
    if (asksForVersions(argv.slice(2))) {
      const { showVersions } = await import('./commands/versions.ts');
      await showVersions(io);
      return;
    }
    const program = await programOf(io, argv.slice(2));
    await program.parseAsync([...argv]);
  } catch (error) {
    process.exitCode = explain(error, { io, stack });
  }
}

/** Brings back the slower of V8's two compilers, which the launcher leaves out for who judges little. */
function takeSlowCompiler(): void {
  // Loaded here alone: nothing else needs it.
  process.getBuiltinModule('node:v8').setFlagsFromString('--turbofan');
}

/** CI systems set a variable to nothing where nobody has filled in the field that it comes from. */
function removeEmptySettings(env: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(env))
    if (value === '' && name.startsWith('CONFORMANCE_')) delete env[name];
}

function isDiskFull(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

type Explaining = { readonly io: CommandIo; readonly stack: 'shown' | 'hidden' };

/** Writes what went wrong, in a sentence without a key. Returns the exit status. */
export function explain(error: unknown, { io, stack }: Explaining): number {
  // Commander has written its message already; help and version come here too, with 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitUnusableInput;
  const { traceFile, removeKeys } = io.session;
  const message = messageOf(error);
  if (error instanceof UsageError || error instanceof ServiceError) {
    io.stderr.write(`conformance: ${removeKeys(message)}\n`);
    return exitUnusableInput;
  }
  const trace = traceFile === null ? '' : ` The trace so far is in ${shownPath(traceFile, io.cwd)}.`;
  if (isDiskFull(error)) {
    const next =
      traceFile === null
        ? ''
        : `, or have "conformance judge ${shownPath(traceFile, io.cwd)}" say what it shows`;
    io.stderr.write(
      removeKeys(`conformance: The disk is full: ${message}.${trace} Make room and run it again${next}.\n`),
    );
    return exitOwnError;
  }
  const more =
    stack === 'shown' && error instanceof Error
      ? `\n${error.stack}`
      : ' Run it again with --debug to see where.';
  io.stderr.write(removeKeys(`conformance: an error of this program: ${message}.${trace}${more}\n`));
  return exitOwnError;
}
