import { Command, Option } from 'commander';
import { atATimeMax } from '../../../checks/webhooks/drive/pace.ts';
import type { DriveCase } from '../../../contract/webhooks/drive/case.ts';
import { driveCases } from '../../../contract/webhooks/drive/registry.ts';
import { shownPath } from '../../../run/shown-path.ts';
import { receiverUrl } from '../../../run/target/receiver-url.ts';
import { secretHeadersOf, takeHeaders } from '../../../run/target/secret-headers.ts';
import { takeSecrets } from '../../../run/target/take-secrets.ts';
import type { TransportFlags } from '../../../run/target/transport/transport-flags.ts';
import { conductDrive, type DriveSpec } from '../../../run/webhooks/conduct-drive.ts';
import { openReceiverTransport } from '../../../run/webhooks/receiver-transport.ts';
import { displayKindFor, driveOn } from '../../display/display.ts';
import { interruptedExitCode, watchInterrupts } from '../../interrupt.ts';
import { addReceiverTransportOptions } from '../../options/transport-options.ts';
import { list, numberAbove0, secondsOf, wholeNumber } from '../../options/values.ts';
import type { CommandIo } from '../command-io.ts';
import { exitWith, writePageLine, writeReport } from '../report-output.ts';
import { chosenCases } from './cases.ts';

type DriveFlags = TransportFlags & {
  readonly to: string;
  readonly secretEnv: readonly string[];
  readonly headerEnv?: readonly string[];
  readonly effects?: string;
  readonly budget: number;
  readonly effectsWait: number;
  readonly sendRate: number;
  readonly burstSeconds: number;
  readonly only?: readonly string[];
  readonly atATime: number;
  readonly allowHost?: readonly string[];
  readonly out: string;
  readonly json?: true;
};

/** Events that one message causes: sent, delivered and read. */
const eventsPerMessage = 3;

/** The longest burst at the highest rate has 3 × 300 × 600 events: more than a test needs. */
const burstSecondsOf = numberAbove0({ of: 'seconds', max: 600 });
const rateOf = numberAbove0({ of: 'messages a second', max: 300 });

/** `conformance webhooks drive`: sends a receiver everything that may come, and judges its answers. */
export function driveCommand(io: CommandIo): Command {
  const bare = new Command('drive')
    .description('send your receiver everything that may come, and judge its answers')
    .requiredOption('--to <url>', 'address of the receiver')
    .requiredOption(
      '--secret-env <names>',
      'environment variable that holds the webhook secret; NEW,OLD during a rotation',
      list,
    );
  return addReceiverTransportOptions(bare)
    .option(
      '--header-env <header=name...>',
      'header of every request whose value is in an environment variable',
      list,
    )
    .option('--effects <url>', 'address that shows the effects of events (docs/webhooks.md)')
    .option('--budget <seconds>', 'how long an answer may take, including the time to connect', secondsOf, 5)
    .option('--effects-wait <seconds>', 'how long after the answer an effect may take', secondsOf, 2)
    .addOption(
      new Option('--send-rate <n>', 'messages that you send in a second; the burst has three events for each')
        .argParser(rateOf)
        .default(5),
    )
    .addOption(
      new Option('--burst-seconds <n>', 'how long the burst lasts').argParser(burstSecondsOf).default(10),
    )
    .option(
      '--at-a-time <n>',
      'answers that are awaited at a time where your receiver is slow; 1 sends one case after the other',
      wholeNumber({ min: 1, max: atATimeMax }),
      atATimeMax,
    )
    .option(
      '--only <case...>',
      'only these cases, and the cases that they depend on; "forged" is all forgeries',
      list,
    )
    .option('--allow-host <host...>', 'also send to this host; without this flag, only to this machine', list)
    .addOption(
      new Option('--out <folder>', 'folder in which each run makes its own folder')
        .default('runs')
        .env('CONFORMANCE_OUT'),
    )
    .option('--json', 'write report.json to standard output, and everything else to standard error')
    .action((flags: DriveFlags) => drive(io, flags));
}

async function drive(io: CommandIo, flags: DriveFlags): Promise<void> {
  const { env, cwd, session } = io;
  const spec = await specOf(flags, io);
  const format = flags.json === true ? 'json' : 'text';
  const progress = format === 'json' ? io.stderr : io.stdout;
  const interrupts = watchInterrupts();
  try {
    const screen = { stream: progress, kind: displayKindFor(progress, env), cwd };
    const context = { cwd, session, signal: interrupts.signal, onBegin: driveOn(screen) };
    const conducted = await conductDrive(spec, context);
    if (conducted.kind === 'interrupted') {
      io.stderr.write(`interrupted; the trace so far is in ${shownPath(conducted.traceFile, cwd)}\n`);
      io.exit(interruptedExitCode);
      return;
    }
    const { judged } = conducted;
    await writeReport(io, judged, format);
    writePageLine(io, judged, format);
    exitWith(io, judged.report.exitCode, judged.unwritten);
  } finally {
    interrupts.stop();
  }
}

/** Where effects can be looked at, every forgery is: only its effect shows what a 2xx to it means. */
function withEffects(cases: readonly DriveCase[], effects: URL | null): readonly DriveCase[] {
  const isForged = cases.some(({ id }) => id.startsWith('forged.'));
  if (effects === null || !isForged) return cases;
  return driveCases.filter((one) => one.id === 'effect.forged' || cases.includes(one));
}

async function specOf(flags: DriveFlags, { env, cwd }: CommandIo): Promise<DriveSpec> {
  const { resolve, allowHost: allowHosts = [] } = flags;
  const effects =
    flags.effects === undefined
      ? null
      : receiverUrl(flags.effects, { flag: '--effects', allowHosts, sent: 'many questions', resolve });
  const target = receiverUrl(flags.to, { flag: '--to', allowHosts, sent: 'a burst of webhooks', resolve });
  const addresses = effects === null ? [target] : [target, effects];
  return {
    target,
    effects,
    transport: await openReceiverTransport(addresses, { flags, env, cwd }),
    cases: withEffects(chosenCases(flags.only ?? []), effects),
    atATimeMax: flags.atATime,
    secretHeaders: takeHeaders(secretHeadersOf(flags.headerEnv), env, flags.secretEnv),
    secrets: takeSecrets(flags.secretEnv, env),
    secretEnv: [...flags.secretEnv],
    budgetMs: flags.budget * 1_000,
    effectsWaitMs: flags.effectsWait * 1_000,
    burst: { eventsPerSecond: eventsPerMessage * flags.sendRate, seconds: flags.burstSeconds },
    out: flags.out,
  };
}
