import { Command } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { captureCommand } from './capture.ts';
import { casesCommand } from './cases.ts';
import { driveCommand } from './drive.ts';
import { replayCommand } from './replay.ts';
import { schemaCommand } from './schema.ts';
import { sendCommand } from './send.ts';
import { verifyCommand } from './verify.ts';

/** `conformance webhooks`: what a deployment sends to subscribers, and what receivers do with it. */
export function webhooksCommand(io: CommandIo): Command {
  const command = new Command('webhooks').description(
    'judge the webhooks of a deployment, or a receiver of webhooks',
  );
  const tools = [sendCommand, verifyCommand, replayCommand, schemaCommand];
  for (const one of [captureCommand, driveCommand, casesCommand, ...tools]) command.addCommand(one(io));
  return command;
}
