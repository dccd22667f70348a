import { accessSync, constants } from 'node:fs';
import process from 'node:process';
import type { Duplex } from 'node:stream';

/** A command whose life is tied to this process. */
export type TiedCommand = {
  readonly command: string;
  readonly args: readonly string[];
};

/**
 * A shell that becomes the command. Before that it leaves a second shell behind, which waits on descriptor 3: that is a
 * pipe which this process alone holds open, so that it ends however this process ends, by `kill -9` too. Then the second
 * shell kills the command and removes its folder. A line on the pipe says that all is well, and that nobody has to wait
 * any longer. The second shell stays in the command's process group, so that no other process can get its number.
 */
const program = `
folder=$1
shift
(
  exec </dev/null >/dev/null 2>&1
  read -r line <&3 && exit
  kill -9 $$
  command -p rm -rf -- "$folder"
) &
exec 3<&-
exec "$@"
`;

/** The descriptor of the pipe. */
export const tieDescriptor = 3;

/**
 * The command as one that does not outlive this process; its folder goes with it.
 * @throws where there is no such program: the shell could only say so by a status that programs use too.
 */
export function tiedCommand({ command, args }: TiedCommand, folder: string): TiedCommand {
  accessSync(command, constants.X_OK);
  return { command: '/bin/sh', args: ['-c', program, 'sh', folder, command, ...args] };
}

/** Whether this machine has the shell and the signals that this needs. */
export const canTie: boolean = process.platform !== 'win32';

/** Says that the command has ended, so that nothing is left to watch. */
export function untie(pipe: Duplex): void {
  // The watching shell may have been killed with the command's group.
  pipe.on('error', () => undefined);
  pipe.resume();
  pipe.end('ended\n');
}
