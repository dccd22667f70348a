import { randomBytes } from 'node:crypto';
import { Command, Option } from 'commander';
import { webhookRequest } from '../../../checks/webhooks/drive/compose-request.ts';
import { wayTo } from '../../../checks/webhooks/drive/receiver-way.ts';
import { withheld } from '../../../contract/secret/withheld.ts';
import { UsageError } from '../../../contract/usage-error.ts';
import { eventKinds } from '../../../contract/webhooks/event.ts';
import { signatureHeader, signBody } from '../../../contract/webhooks/signature.ts';
import { plainText } from '../../../reports/plain-text.ts';
import { hideKeys, secretKeys } from '../../../run/record/without-keys.ts';
import { receiverUrl } from '../../../run/target/receiver-url.ts';
import { headerSecrets, secretHeadersOf, takeHeaders } from '../../../run/target/secret-headers.ts';
import { takeSecrets } from '../../../run/target/take-secrets.ts';
import { proxySecrets } from '../../../run/target/transport/proxy-secrets.ts';
import type { TransportFlags } from '../../../run/target/transport/transport-flags.ts';
import { tool } from '../../../run/version.ts';
import { openReceiverTransport } from '../../../run/webhooks/receiver-transport.ts';
import { answerText, exitCodeFor, sendOnce } from '../../../run/webhooks/send-once.ts';
import { interruptedExitCode, watchInterrupts } from '../../interrupt.ts';
import { type EventFlags, eventOf } from '../../options/event-of.ts';
import { addReceiverTransportOptions } from '../../options/transport-options.ts';
import { list, secondsOf, wholeNumber } from '../../options/values.ts';
import type { CommandIo } from '../command-io.ts';

type SendFlags = EventFlags &
  TransportFlags & {
    readonly to: string;
    readonly secretEnv?: readonly string[];
    readonly unsigned?: true;
    readonly headerEnv?: readonly string[];
    readonly budget: number;
    readonly allowHost?: readonly string[];
    readonly json?: true;
  };

/** Seconds since 1970, or milliseconds: a wrong unit can be sent on purpose. */
const timestampOf = wholeNumber({ min: 0, max: 999_999_999_999_999, example: '1760000040' });

/** Characters of an answer that are shown. */
const answerCharactersShown = 2_000;

/** `conformance webhooks send`: sends one event as the service would send it. */
export function sendCommand(io: CommandIo): Command {
  const fields = new Command('send')
    .description('send one signed event to a receiver, and show its answer')
    .argument('<event>', eventKinds.join(', '))
    .requiredOption('--to <url>', 'address of the receiver')
    .option('--secret-env <name>', 'environment variable that holds the webhook secret', list)
    .option('--unsigned', 'without a signature')
    .option(
      '--header-env <header=name...>',
      'header of every request whose value is in an environment variable',
      list,
    )
    .option('--message-id <id>', 'id of the message (default: a new one)')
    .option('--business <number>', 'number of the business, digits only')
    .option('--customer <number>', 'number of the customer, digits only')
    .option('--text <text>', 'text of the customer, in message.received')
    .addOption(
      new Option('--timestamp <seconds>', 'time of the event, Unix time (default: now)').argParser(
        timestampOf,
      ),
    )
    .option('--simulated', 'message.received with message_id, sender, type and body only')
    .option('--set <field=value...>', 'another value for a field of data, as JSON or as text');
  return addReceiverTransportOptions(fields)
    .option('--budget <seconds>', 'how long the answer may take, including the time to connect', secondsOf, 5)
    .option('--allow-host <host...>', 'also send to this host; without this flag, only to this machine', list)
    .option('--json', 'write one object to standard output, and nothing else')
    .action((event: string, flags: SendFlags) => send(io, event, flags));
}

async function send(io: CommandIo, name: string, flags: SendFlags): Promise<void> {
  const target = receiverUrl(flags.to, {
    flag: '--to',
    allowHosts: flags.allowHost ?? [],
    sent: 'one event',
    resolve: flags.resolve,
  });
  const freshId = `msg_${randomBytes(6).toString('hex')}`;
  const event = eventOf(name, { flags, freshId, nowSeconds: Math.floor(Date.now() / 1_000) });
  const body = Buffer.from(JSON.stringify(event), 'utf8');
  const secretHeaders = takeHeaders(secretHeadersOf(flags.headerEnv), io.env, flags.secretEnv);
  const secrets = secretsOf(flags, io);
  const transport = await openReceiverTransport([target], { flags, env: io.env, cwd: io.cwd });
  const remove = hideKeys(io.session, [
    ...secretKeys(secrets),
    ...headerSecrets(secretHeaders),
    ...proxySecrets(transport),
  ]);
  const request = webhookRequest({
    host: target.host,
    userAgent: `${tool.name}/${tool.version}`,
    signatureFields: secrets.map((secret) => [signatureHeader, signBody(secret, body)]),
    body,
    framing: 'content-length',
  });
  const interrupts = watchInterrupts();
  const budgetMs = flags.budget * 1_000;
  const way = wayTo(target, { transport, budgetMs });
  const delivered = await sendOnce({ way, request, secretHeaders, budgetMs, signal: interrupts.signal });
  interrupts.stop();
  const { status } = delivered;
  const answer = delivered.answer === null ? null : remove(delivered.answer);
  const failure = delivered.failure === null ? null : remove(delivered.failure);
  const headers = [...request.headers, ...Object.keys(secretHeaders).map((one) => [one, withheld] as const)];
  const lines =
    flags.json === true
      ? [JSON.stringify({ headers, event, status, answer, failure })]
      : [
          `POST ${target.href}`,
          ...headers.map(([field, value]) => `${field}: ${value}`),
          '',
          body.toString('utf8'),
          '',
          answerText({ ...delivered, failure }),
          ...(answer === null || answer === '' ? [] : [plainText(answer, answerCharactersShown)]),
        ];
  io.stdout.write(`${lines.join('\n')}\n`);
  io.exit(interrupts.signal.aborted ? interruptedExitCode : exitCodeFor([delivered]));
}

function secretsOf({ secretEnv, unsigned }: SendFlags, { env }: CommandIo): readonly string[] {
  if (unsigned === true) return [];
  if (secretEnv === undefined) {
    throw new UsageError('Name the variable that holds the secret with --secret-env, or use --unsigned.');
  }
  if (secretEnv.length > 1)
    throw new UsageError('An event is signed with one secret: name one with --secret-env.');
  return takeSecrets(secretEnv, env);
}
