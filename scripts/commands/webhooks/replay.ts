import { resolve } from 'node:path';
import { Command } from 'commander';
import type { DeliveryResult } from '../../../checks/webhooks/drive/deliver.ts';
import { wayTo } from '../../../checks/webhooks/drive/receiver-way.ts';
import { UsageError } from '../../../contract/usage-error.ts';
import { eventIn } from '../../../contract/webhooks/body.ts';
import { plainText } from '../../../reports/plain-text.ts';
import { readTrace, traceFileName, traceIn } from '../../../run/judge/trace-file.ts';
import { hideKeys, secretKeys } from '../../../run/record/without-keys.ts';
import { receiverUrl } from '../../../run/target/receiver-url.ts';
import { headerSecrets, secretHeadersOf, takeHeaders } from '../../../run/target/secret-headers.ts';
import { takeSecrets } from '../../../run/target/take-secrets.ts';
import { proxySecrets } from '../../../run/target/transport/proxy-secrets.ts';
import type { TransportFlags } from '../../../run/target/transport/transport-flags.ts';
import { openReceiverTransport } from '../../../run/webhooks/receiver-transport.ts';
import { type RecordedRequest, recordedRequests } from '../../../run/webhooks/recorded-requests.ts';
import { answerText, exitCodeFor, sendOnce } from '../../../run/webhooks/send-once.ts';
import { interruptedExitCode, watchInterrupts } from '../../interrupt.ts';
import { addReceiverTransportOptions } from '../../options/transport-options.ts';
import { list, secondsOf, wholeNumbers } from '../../options/values.ts';
import type { CommandIo } from '../command-io.ts';

type ReplayFlags = TransportFlags & {
  readonly to: string;
  readonly only?: readonly number[];
  readonly secretEnv?: readonly string[];
  readonly headerEnv?: readonly string[];
  readonly budget: number;
  readonly allowHost?: readonly string[];
  readonly json?: true;
};

const positionsOf = wholeNumbers({ min: 0, max: 999_999_999, example: '0,3' });

/** `conformance webhooks replay`: sends captured or driven deliveries again. */
export function replayCommand(io: CommandIo): Command {
  const bare = new Command('replay')
    .description('send the deliveries of a trace again, with the same bytes and signatures')
    .argument('<trace>', `a ${traceFileName} of "capture" or of "drive", or its folder`)
    .requiredOption('--to <url>', 'address of the receiver');
  return addReceiverTransportOptions(bare)
    .option(
      '--secret-env <names>',
      'environment variable that holds the webhook secret; it signs nothing, but is masked where the receiver repeats it',
      list,
    )
    .option(
      '--header-env <header=name...>',
      'header of every request whose value is in an environment variable',
      list,
    )
    .option('--only <n...>', 'only these deliveries, by their position in the trace, from 0', positionsOf)
    .option('--budget <seconds>', 'how long an answer may take, including the time to connect', secondsOf, 5)
    .option('--allow-host <host...>', 'also send to this host; without this flag, only to this machine', list)
    .option('--json', 'write an object for each delivery to standard output, and nothing else')
    .action((trace: string, flags: ReplayFlags) => replay(io, trace, flags));
}

async function replay(io: CommandIo, trace: string, flags: ReplayFlags): Promise<void> {
  const target = receiverUrl(flags.to, {
    flag: '--to',
    allowHosts: flags.allowHost ?? [],
    sent: 'recorded webhooks',
    resolve: flags.resolve,
  });
  const { headerEnv, secretEnv } = flags;
  const secretHeaders = takeHeaders(secretHeadersOf(headerEnv), io.env, secretEnv);
  const secrets = secretEnv === undefined ? [] : takeSecrets(secretEnv, io.env);
  const transport = await openReceiverTransport([target], { flags, env: io.env, cwd: io.cwd });
  const remove = hideKeys(io.session, [
    ...secretKeys(secrets),
    ...headerSecrets(secretHeaders),
    ...proxySecrets(transport),
  ]);
  const path = await traceIn(resolve(io.cwd, trace));
  const all = recordedRequests(await readTrace(path), target.host);
  const chosen = flags.only === undefined ? all : chosenOf(all, flags.only);
  if (chosen.length === 0) throw new UsageError(`${path} holds no deliveries.`);
  const interrupts = watchInterrupts();
  const budgetMs = flags.budget * 1_000;
  const way = wayTo(target, { transport, budgetMs });
  const answers: DeliveryResult[] = [];
  try {
    for (const recorded of chosen) {
      if (interrupts.signal.aborted) break;
      const { request } = recorded;
      const delivered =
        request === null
          ? null
          : await sendOnce({ way, request, secretHeaders, budgetMs, signal: interrupts.signal, remove });
      if (delivered !== null) answers.push(delivered);
      io.stdout.write(
        `${flags.json === true ? jsonLine(recorded, delivered) : textLine(recorded, delivered)}\n`,
      );
    }
  } finally {
    interrupts.stop();
  }
  if (answers.length === 0)
    io.stderr.write('conformance: the trace does not hold the whole body of any of these deliveries.\n');
  io.exit(interrupts.signal.aborted ? interruptedExitCode : exitCodeOf(answers));
}

/** Without a delivery that could be sent, the answer of the receiver is not known. */
function exitCodeOf(answers: readonly DeliveryResult[]): number {
  return answers.length === 0 ? 3 : exitCodeFor(answers);
}

function chosenOf(all: readonly RecordedRequest[], only: readonly number[]): readonly RecordedRequest[] {
  return only.map((position) => {
    const found = all.find(({ index }) => index === position);
    if (found === undefined) {
      throw new UsageError(
        `There is no delivery ${position}: the trace holds ${all.length}, counted from 0.`,
      );
    }
    return found;
  });
}

function textLine({ index, request, why }: RecordedRequest, delivered: DeliveryResult | null): string {
  const text = delivered === null ? `not sent: ${why}` : answerText(delivered);
  return `${String(index).padStart(5)}  ${text.padEnd(20)}  ${plainText(nameOf(request?.body ?? null), 160)}`.trimEnd();
}

function jsonLine({ index, why }: RecordedRequest, delivered: DeliveryResult | null): string {
  if (delivered === null) return JSON.stringify({ index, notSent: why });
  const { status, answer, failure } = delivered;
  return JSON.stringify({ index, status, answer, failure });
}

/** The event and the message of a body, so that people can find it. */
function nameOf(body: Buffer | null): string {
  const found = eventIn(body?.toString('utf8') ?? '');
  return found === null ? '' : `${found.event} ${found.messageId ?? ''}`;
}
