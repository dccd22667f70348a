import { Command } from 'commander';
import { planInput, planText, planWholeRun, withNodes } from '../../run/plan/run-plan.ts';
import { type Settings, settleSettings, type TargetFlags } from '../../run/target/settle-settings.ts';
import { openTransport } from '../../run/target/transport/open-transport.ts';
import { transportLines, waitLines } from '../../run/target/transport/transport-text.ts';
import { addLoadOptions, chosenLoad, chosenSeed, type LoadFlags } from '../options/run-options.ts';
import { addTargetOptions } from '../options/target-options.ts';
import type { CommandIo } from './command-io.ts';

/** `conformance plan`: what a run would send; sends nothing and needs no keys. */
export function planCommand(io: CommandIo): Command {
  const command = new Command('plan').description(
    'show how many requests a run would send, where, and how long it would take; sends nothing',
  );
  return addLoadOptions(addTargetOptions(command)).action(async (flags: TargetFlags & LoadFlags) => {
    const mode = flags.light === true ? 'light' : 'full';
    const load = chosenLoad(flags);
    const settings = withNodes({ settings: await settleSettings(flags, io.cwd), load });
    const { kind, deployment, origin } = settings;
    const plan = planWholeRun(planInput(settings, { mode, load, unannouncedSeed: chosenSeed(flags) }));
    const target =
      kind === 'embedded' ? 'the embedded reference service, on a free port' : deployment.baseUrls.join(', ');
    const lines = [
      `${origin}`,
      `target  ${target}`,
      ...(await wayLines(settings, io)).map((line) => `        ${line}`),
      ...planText(plan).map((line, at) => `${at === 0 ? 'plan   ' : '       '} ${line}`),
    ];
    io.stdout.write(`${lines.join('\n')}\n`);
    io.exit(0);
  });
}

async function wayLines(
  { kind, deployment, waitSeconds }: Settings,
  io: CommandIo,
): Promise<readonly string[]> {
  if (kind === 'embedded') return [];
  return [...transportLines(await openTransport(deployment, io)), ...waitLines(waitSeconds, deployment)];
}
