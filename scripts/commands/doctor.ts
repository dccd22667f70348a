import { Command, Option } from 'commander';
import { layoutOf } from '../../reports/terminal/layout.ts';
import { conductDoctor } from '../../run/doctor/conduct-doctor.ts';
import { settleSettings, type TargetFlags } from '../../run/target/settle-settings.ts';
import { transportLines } from '../../run/target/transport/transport-text.ts';
import { displayKindFor } from '../display/display.ts';
import { statusLine } from '../display/status-line.ts';
import { interruptedExitCode, watchInterrupts } from '../interrupt.ts';
import { addLoadOptions, chosenLoad, chosenSeed, type LoadFlags } from '../options/run-options.ts';
import { addTargetOptions } from '../options/target-options.ts';
import { examinedLines, findingLines } from '../texts/doctor-text.ts';
import type { CommandIo } from './command-io.ts';
import { planJson } from './plan.ts';
import { layoutFor } from './report-output.ts';

const exitReady = 0;
const exitNotReady = 3;

type DoctorFlags = TargetFlags & LoadFlags & { readonly out: string; readonly json?: true };

/** `conformance doctor`: whether a run can give a verdict, and what it costs; about ten requests. */
export function doctorCommand(io: CommandIo): Command {
  const command = new Command('doctor')
    .description('see whether a run can give a verdict, and what it costs; sends about ten requests')
    .addOption(
      new Option('--out <folder>', 'folder in which runs are saved').default('runs').env('CONFORMANCE_OUT'),
    )
    .option('--json', 'write what was found as JSON to standard output, and nothing else');
  return addLoadOptions(addTargetOptions(command)).action((flags: DoctorFlags) =>
    examineDeployment(io, flags),
  );
}

async function examineDeployment(io: CommandIo, flags: DoctorFlags): Promise<void> {
  const settings = await settleSettings(flags, io.cwd);
  const { env, cwd, session, stdout, stderr } = io;
  const layout = layoutOf(layoutFor(io));
  const isText = flags.json !== true;
  const say = (lines: readonly string[]): void => {
    if (isText) stdout.write(lines.map((line) => `${line}\n`).join(''));
  };
  const progress = statusLine(stderr, displayKindFor(stderr, env));
  const interrupts = watchInterrupts();
  try {
    const examined = await conductDoctor(
      {
        settings,
        allowHosts: flags.allowHost ?? [],
        mode: flags.light === true ? 'light' : 'full',
        load: chosenLoad(flags),
        unannouncedSeed: chosenSeed(flags),
        out: flags.out,
      },
      {
        env,
        cwd,
        session,
        signal: interrupts.signal,
        onBegin: ({ deployment, transport, origin }) =>
          say([
            origin,
            `target  ${deployment.baseUrls.join(', ')}${deployment.name === undefined ? '' : ` (${deployment.name})`}`,
            ...transportLines(transport).map((line) => `        ${line}`),
            '',
          ]),
        onFinding: (finding) => {
          progress.clear();
          say(findingLines(finding, layout));
        },
        onProgress: progress.show,
      },
    );
    if (interrupts.signal.aborted) {
      stderr.write('interrupted\n');
      io.exit(interruptedExitCode);
      return;
    }
    say(examinedLines(examined, layout));
    if (!isText) {
      const { findings, open, requests, isReady, plan } = examined;
      stdout.write(
        `${JSON.stringify({ isReady, requests, findings, open, plan: planJson(plan) }, null, 2)}\n`,
      );
    }
    io.exit(examined.isReady ? exitReady : exitNotReady);
  } finally {
    progress.clear();
    interrupts.stop();
  }
}
