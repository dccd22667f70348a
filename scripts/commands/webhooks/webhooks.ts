import { Command } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { captureCommand } from './capture.ts';
import { casesCommand } from './cases.ts';
import { driveCommand } from './drive.ts';

/** `conformance webhooks`: the document's other half, what is sent to a subscriber and what becomes of it. */
export function webhooksCommand(io: CommandIo): Command {
  const command = new Command('webhooks').description(
    'judge the webhooks that a deployment sends, and drive a receiver of them',
  );
  for (const one of [captureCommand, driveCommand, casesCommand]) command.addCommand(one(io));
  return command;
}
