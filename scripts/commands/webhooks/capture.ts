import { Command, InvalidArgumentError, Option } from 'commander';
import { type AnswerPlan, answerPlan } from '../../../checks/webhooks/capture/answer-plan.ts';
import { receiverBounds } from '../../../checks/webhooks/capture/receiver.ts';
import { shownPathOf } from '../../../contract/secret/secret-names.ts';
import { UsageError } from '../../../contract/usage-error.ts';
import { arrivalLines, printable } from '../../../reports/webhooks/arrival-lines.ts';
import { shownPath } from '../../../run/shown-path.ts';
import { receiverUrl } from '../../../run/target/receiver-url.ts';
import { takeSecrets } from '../../../run/target/take-secrets.ts';
import { conductCapture } from '../../../run/webhooks/conduct-capture.ts';
import { boundedLines } from '../../display/bounded-lines.ts';
import { watchInterrupts } from '../../interrupt.ts';
import { kindOf } from '../../options/event-of.ts';
import { list, numberAbove0, portOf, secondsOf, wholeNumber } from '../../options/values.ts';
import type { CommandIo } from '../command-io.ts';
import { exitWith, writePageLine, writeReport } from '../report-output.ts';

type CaptureFlags = {
  readonly port: number;
  readonly host: string;
  readonly secretEnv?: readonly string[];
  readonly path?: string;
  readonly requireSignature?: true;
  readonly answer?: readonly string[];
  readonly slow: number;
  readonly count?: number;
  readonly for?: number;
  readonly maxConnections: number;
  readonly maxTrace: number;
  readonly out: string;
  readonly json?: true;
  readonly forwardTo?: string;
  readonly events?: readonly string[];
  readonly budget: number;
  readonly allowHost?: readonly string[];
  readonly print?: readonly string[];
};

const bytesPerMegabyte = 1_000_000;

/** The longest slow answer, s: no sender waits longer. */
const slowSecondsMax = 600;

/** `conformance webhooks capture`: receives webhooks, and judges what came. */
export function captureCommand(io: CommandIo): Command {
  return new Command('capture')
    .description('receive the webhooks of a deployment, and judge them when Ctrl-C ends it')
    .option('--port <number>', 'port to listen on; 0 takes any free one', portOf, 8081)
    .option(
      '--host <host>',
      'address to listen on; the default is reachable from this machine only',
      '127.0.0.1',
    )
    .option(
      '--secret-env <names>',
      'environment variable that holds the webhook secret; NEW,OLD during a rotation',
      list,
    )
    .option(
      '--path <path>',
      'path that webhooks come to; the default is the one that most come to. Other requests are listed, not judged',
      pathOf,
    )
    .option('--require-signature', 'fail where a signature is not one that the secret gives')
    .option(
      '--answer <kind[=n]...>',
      'how to answer: ok, slow, error (500), limited (429), gone (410), none; error=3 is for the first three, error for all',
      list,
    )
    .option(
      '--slow <seconds>',
      'how long a slow answer takes',
      numberAbove0({ of: 'seconds', max: slowSecondsMax }),
      10,
    )
    .option(
      '--forward-to <url>',
      'send each delivery on to your receiver, whose answer goes back to the sender',
    )
    .option(
      '--events <event...>',
      'with --forward-to: only these events go on; others are answered with 200',
      list,
    )
    .option(
      '--budget <seconds>',
      'with --forward-to: how long an answer may take, including the time to connect',
      secondsOf,
      30,
    )
    .option('--allow-host <host...>', 'also send to this host; without this flag, only to this machine', list)
    .option('--print <part...>', `show more of each delivery: ${printable.join(', ')}`, list)
    .option('--count <n>', 'end after this many webhooks', wholeNumber({ min: 1, max: 999_999_999 }))
    .option('--for <seconds>', 'end after this time', secondsOf)
    .option(
      '--max-connections <n>',
      'connections that may be open at a time; more are dropped, and counted',
      wholeNumber({ min: 1, max: 10_000 }),
      receiverBounds.connectionsMax,
    )
    .option(
      '--max-trace <MB>',
      'end when the trace has reached this size, so that it cannot fill the disk',
      numberAbove0({ of: 'megabytes', max: 1_000_000 }),
      8_000,
    )
    .addOption(
      new Option('--out <folder>', 'folder in which each run makes its own folder')
        .default('runs')
        .env('CONFORMANCE_OUT'),
    )
    .option('--json', 'write report.json to standard output, and everything else to standard error')
    .action((flags: CaptureFlags) => capture(io, flags));
}

async function capture(io: CommandIo, flags: CaptureFlags): Promise<void> {
  const plan = planOf(flags.answer ?? []);
  const secrets = flags.secretEnv === undefined ? [] : takeSecrets(flags.secretEnv, io.env);
  if (flags.requireSignature === true && secrets.length === 0) {
    throw new UsageError(
      '--require-signature needs --secret-env: the variable that holds the webhook secret.',
    );
  }
  const format = flags.json === true ? 'json' : 'text';
  const progress = format === 'json' ? io.stderr : io.stdout;
  const lines = boundedLines((text) => progress.write(text));
  const print = partsOf(flags.print ?? []);
  const forwarding = forwardingOf(flags);
  const interrupts = watchInterrupts();
  try {
    const judged = await conductCapture(
      {
        host: flags.host,
        port: flags.port,
        plan,
        slowMs: flags.slow * 1_000,
        bounds: { ...receiverBounds, connectionsMax: flags.maxConnections },
        traceBytesMax: flags.maxTrace * bytesPerMegabyte,
        forwarding,
        secrets,
        path: flags.path ?? null,
        requireSignature: flags.requireSignature ?? false,
        count: flags.count ?? null,
        forMs: flags.for === undefined ? null : flags.for * 1_000,
        out: flags.out,
      },
      {
        cwd: io.cwd,
        session: io.session,
        signal: interrupts.signal,
        onOpen: ({ url, traceFile }) => {
          const said = announcement({ url, plan, flags, trace: shownPath(traceFile, io.cwd) });
          progress.write(said.map((line) => `${line}\n`).join(''));
        },
        onDelivery: (delivery) => lines.show(arrivalLines(delivery, { secrets, print }), delivery.arrivedMs),
      },
    );
    lines.end();
    await writeReport(io, judged, format);
    writePageLine(io, judged, format);
    exitWith(io, judged.report.exitCode, judged.unwritten);
  } finally {
    interrupts.stop();
  }
}

type Announced = {
  readonly url: string;
  readonly plan: AnswerPlan;
  readonly flags: CaptureFlags;
  readonly trace: string;
};

function announcement({ url, plan, flags, trace }: Announced): readonly string[] {
  const { count, for: seconds, forwardTo } = flags;
  const ends = [
    ...(count === undefined ? [] : [count === 1 ? 'after 1 webhook' : `after ${count} webhooks`]),
    ...(seconds === undefined ? [] : [`after ${seconds} s`]),
    'with Ctrl-C',
  ];
  return [
    `receiving webhooks at ${url}`,
    ...(forwardTo === undefined
      ? [`  answers  ${planText(plan)}`]
      : [
          `  sent on  ${(flags.events ?? ['each delivery']).join(', ')} to ${forwardTo}; its answers go back`,
        ]),
    `  trace    ${trace}`,
    `Ends ${ends.join(', or ')}, and judges what came.`,
  ];
}

/** The form in which a trace keeps a request target. */
function pathOf(text: string): string {
  if (text.startsWith('/') && !text.includes('?')) return shownPathOf(text);
  throw new InvalidArgumentError('It must begin with "/" and have no query.');
}

function planText({ first, then }: AnswerPlan): string {
  return [...first.map(({ answer, count }) => `${count} × ${answer}`), then].join(', then ');
}

function planOf(parts: readonly string[]): AnswerPlan {
  try {
    return answerPlan(parts);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`--answer ${error.message}.`);
    throw error;
  }
}

/** @throws {UsageError} where a flag makes no sense without another, or beside it. */
function forwardingOf({ forwardTo, events, answer, budget, allowHost = [] }: CaptureFlags) {
  if (forwardTo === undefined) {
    if (events !== undefined) throw new UsageError('--events names what goes on to --forward-to: give both.');
    return null;
  }
  if (answer !== undefined)
    throw new UsageError('With --forward-to your receiver answers, not --answer: leave one of them out.');
  const target = receiverUrl(forwardTo, {
    flag: '--forward-to',
    allowHosts: allowHost,
    sent: 'each webhook',
  });
  return { target, events: events?.map(kindOf) ?? null, budgetMs: budget * 1_000 };
}

/** @throws {UsageError} naming the part that there is not. */
function partsOf(names: readonly string[]) {
  return names.map((name) => {
    const part = printable.find((one) => one === name);
    if (part !== undefined) return part;
    throw new UsageError(`--print ${name}: choose from ${printable.join(', ')}.`);
  });
}
