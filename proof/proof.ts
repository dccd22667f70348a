#!/usr/bin/env node
import process from 'node:process';
import { Command, CommanderError } from 'commander';
import { asError } from '../contract/thrown.ts';
import type { CommandIo } from './command.ts';
import { confusionCommand } from './confusion/confusion.ts';
import { documentsCommand } from './documents/documents.ts';
import { faultsCommand } from './faults/faults.ts';
import { hostileCommand } from './hostile/hostile.ts';
import { soundnessCommand } from './soundness/soundness.ts';
import { stabilityCommand } from './stability/stability.ts';

const exitUnusableInput = 2;
const exitOwnError = 4;

/** Signals that ask a program to end, with their numbers. */
const endedBy = [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const;

const exitStatus = `
Exit status: 0 proved, 1 not proved (what is wrong is printed), 2 unusable input,
             4 an error of this program`;

/**
 * The command line of the proofs: `npm run faults`, `npm run soundness`, … are its commands.
 * @returns the exit status.
 */
export async function proof(argv: readonly string[], streams: Omit<CommandIo, 'exit'>): Promise<number> {
  const { stdout, stderr } = streams;
  let code = 0;
  const io: CommandIo = {
    stdout,
    stderr,
    exit: (status) => {
      code = status;
    },
  };
  try {
    await programOf(io).parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has said it already; help comes this way too, with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitUnusableInput;
    const { stack, message } = asError(error);
    stderr.write(`proof: an error of this program: ${stack ?? message}\n`);
    return exitOwnError;
  }
}

function programOf(io: CommandIo): Command {
  const program = new Command('proof').description(
    'Proves the judges by whole runs: in virtual time, on all cores, where nothing is sent; hostile, stability and documents by sockets, on this machine.',
  );
  for (const command of [
    faultsCommand,
    soundnessCommand,
    confusionCommand,
    hostileCommand,
    stabilityCommand,
    documentsCommand,
  ]) {
    program.addCommand(command(io).addHelpText('after', exitStatus));
  }
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride()
      .configureOutput({
        writeOut: (text) => io.stdout.write(text),
        writeErr: (text) => io.stderr.write(text),
      })
      .showHelpAfterError('(--help shows what there is)');
  }
  return program;
}

if (import.meta.main) {
  // Whoever reads our output may leave before its end, as `head` does: that is no error of ours.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  // A signal alone would end this program without its last words, and leave what it started behind: stress-ng, Toxiproxy.
  for (const [signal, number] of endedBy) process.once(signal, () => process.exit(128 + number));
  process.exitCode = await proof(process.argv.slice(2), process);
}
