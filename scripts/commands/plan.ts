import { Command } from 'commander';
import { bytesOf, planLines } from '../../run/plan/plan-text.ts';
import { planInput, planWholeRun, type RunPlan, withNodes } from '../../run/plan/run-plan.ts';
import { type Settings, settleSettings, type TargetFlags } from '../../run/target/settle-settings.ts';
import { openTransport } from '../../run/target/transport/open-transport.ts';
import { transportLines, waitLines } from '../../run/target/transport/transport-text.ts';
import { addLoadOptions, chosenLoad, chosenSeed, type LoadFlags } from '../options/run-options.ts';
import { addTargetOptions } from '../options/target-options.ts';
import type { CommandIo } from './command-io.ts';

type PlanFlags = TargetFlags & LoadFlags & { readonly json?: true };

/** `conformance plan`: what a run would send; sends nothing and needs no keys. */
export function planCommand(io: CommandIo): Command {
  const command = new Command('plan').description(
    'show how many requests a run would send, where, and how long it would take; sends nothing',
  );
  command.option('--json', 'write the plan as JSON to standard output, and nothing else');
  return addLoadOptions(addTargetOptions(command)).action(async (flags: PlanFlags) => {
    const mode = flags.light === true ? 'light' : 'full';
    const load = chosenLoad(flags);
    const settings = withNodes({ settings: await settleSettings(flags, io.cwd), load });
    const { kind, deployment, origin } = settings;
    const plan = planWholeRun(planInput(settings, { mode, load, unannouncedSeed: chosenSeed(flags) }));
    const target =
      kind === 'embedded' ? 'the embedded reference service, on a free port' : deployment.baseUrls.join(', ');
    const way = await wayLines(settings, io);
    if (flags.json === true) {
      const { baseUrls } = deployment;
      const json = { origin, baseUrls: kind === 'embedded' ? [] : baseUrls, way, ...planJson(plan) };
      io.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
      io.exit(0);
      return;
    }
    const lines = [
      origin,
      `target  ${target}`,
      ...way.map((line) => `        ${line}`),
      ...planLines(plan).map((line, at) => `${at === 0 ? 'plan   ' : '       '} ${line}`),
    ];
    io.stdout.write(`${lines.join('\n')}\n`);
    io.exit(0);
  });
}

/** A plan for other programs. */
export function planJson(whole: RunPlan) {
  const { load, scopes, probedScopes: _all, ...plan } = whole;
  return {
    ...plan,
    bytes: bytesOf(whole),
    probes: scopes,
    load: load.map(({ planned, aliases, when }) => ({
      scenario: planned.scenario.name,
      requests: planned.requests,
      peakRequestsPerSecond: planned.peakRequestsPerSecond,
      seconds: planned.seconds,
      keys: aliases,
      when,
    })),
  };
}

async function wayLines(
  { kind, deployment, waitSeconds }: Settings,
  io: CommandIo,
): Promise<readonly string[]> {
  if (kind === 'embedded') return [];
  return [...transportLines(await openTransport(deployment, io)), ...waitLines(waitSeconds, deployment)];
}
