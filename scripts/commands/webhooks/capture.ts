import { Command, InvalidArgumentError, Option } from 'commander';
import { type AnswerPlan, answerPlan } from '../../../checks/webhooks/capture/answer-plan.ts';
import { receiverBounds } from '../../../checks/webhooks/capture/receiver.ts';
import { shownPathOf } from '../../../contract/secret/secret-names.ts';
import { UsageError } from '../../../contract/usage-error.ts';
import { shownPath } from '../../../run/shown-path.ts';
import { takeSecrets } from '../../../run/target/take-secrets.ts';
import { conductCapture } from '../../../run/webhooks/conduct-capture.ts';
import { displayKindFor } from '../../display/display.ts';
import { watchInterrupts } from '../../interrupt.ts';
import { list, numberAbove0, portOf, secondsOf, wholeNumber } from '../../options/values.ts';
import type { CommandIo } from '../command-io.ts';
import { writeReport } from '../report-output.ts';

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
    .option('--count <n>', 'end after this many deliveries', wholeNumber({ min: 1, max: 999_999_999 }))
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
  const isLive = displayKindFor(progress, io.env) === 'live';
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
          const lines = announcement({ url, plan, flags, trace: shownPath(traceFile, io.cwd) });
          progress.write(lines.map((line) => `${line}\n`).join(''));
        },
        onProgress: (deliveries) => {
          if (isLive) progress.write(`\r  ${deliveries} received `);
        },
      },
    );
    if (isLive) progress.write('\n');
    writeReport(io, judged, format);
    io.exit(judged.report.exitCode);
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
  const { count, for: seconds } = flags;
  const ends = [
    ...(count === undefined ? [] : [`after ${count} deliveries`]),
    ...(seconds === undefined ? [] : [`after ${seconds} s`]),
    'with Ctrl-C',
  ];
  return [
    `receiving webhooks at ${url}`,
    `  answers  ${planText(plan)}`,
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
