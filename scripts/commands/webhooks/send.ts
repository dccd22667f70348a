import { randomBytes } from 'node:crypto';
import { validateHeaderValue } from 'node:http';
import { Command, Option } from 'commander';
import { systemClock, waitUntil } from '../../../checks/clock.ts';
import { type WebhookRequest, webhookRequest } from '../../../checks/webhooks/drive/compose-request.ts';
import type { DeliveryResult } from '../../../checks/webhooks/drive/deliver.ts';
import { wayTo } from '../../../checks/webhooks/drive/receiver-way.ts';
import { howMany } from '../../../contract/quantities.ts';
import { isSecretName } from '../../../contract/secret/secret-names.ts';
import { withheld } from '../../../contract/secret/withheld.ts';
import { UsageError } from '../../../contract/usage-error.ts';
import { type EventKind, eventKinds } from '../../../contract/webhooks/event.ts';
import { signatureHeader, signBody } from '../../../contract/webhooks/signature.ts';
import { plainText } from '../../../reports/plain-text.ts';
import { hideKeys, secretKeys } from '../../../run/record/without-keys.ts';
import { headerPair } from '../../../run/target/header-pair.ts';
import { receiverUrl } from '../../../run/target/receiver-url.ts';
import {
  type HeaderValues,
  headerSecrets,
  secretHeadersOf,
  takeHeaders,
} from '../../../run/target/secret-headers.ts';
import { takeSecrets } from '../../../run/target/take-secrets.ts';
import { proxySecrets } from '../../../run/target/transport/proxy-secrets.ts';
import type { TransportFlags } from '../../../run/target/transport/transport-flags.ts';
import { tool } from '../../../run/version.ts';
import { openReceiverTransport } from '../../../run/webhooks/receiver-transport.ts';
import { sendMany } from '../../../run/webhooks/send-many.ts';
import { answerText, exitCodeFor, sendOnce } from '../../../run/webhooks/send-once.ts';
import { interruptedExitCode, watchInterrupts } from '../../interrupt.ts';
import { type EventFlags, eventOf } from '../../options/event-of.ts';
import { storyNames, storyOf } from '../../options/story-of.ts';
import { addReceiverTransportOptions } from '../../options/transport-options.ts';
import { list, numberAbove0, secondsOf, wholeNumber } from '../../options/values.ts';
import type { CommandIo } from '../command-io.ts';

type SendFlags = EventFlags &
  TransportFlags & {
    readonly to: string;
    readonly secretEnv?: readonly string[];
    readonly unsigned?: true;
    readonly headerEnv?: readonly string[];
    readonly header?: readonly string[];
    readonly count: number;
    readonly rate?: number;
    readonly budget: number;
    readonly allowHost?: readonly string[];
    readonly json?: true;
  };

/** Seconds since 1970, or milliseconds: a wrong unit can be sent on purpose. */
const timestampOf = wholeNumber({ min: 0, max: 999_999_999_999_999, example: '1760000040' });

/** Characters of an answer that are shown. */
const answerCharactersShown = 2_000;

/** `conformance webhooks send`: sends one event, or a story of several, as the service would send them. */
export function sendCommand(io: CommandIo): Command {
  const fields = new Command('send')
    .description('send signed events to a receiver, and show its answers')
    .argument(
      '<event>',
      `${eventKinds.join(', ')}; or a story: ${storyNames.join(', ')}, or events joined by hyphens (received-sent-delivered-read)`,
    )
    .requiredOption('--to <url>', 'address of the receiver')
    .option('--secret-env <name>', 'environment variable that holds the webhook secret', list)
    .option('--unsigned', 'without a signature')
    .option(
      '--header-env <header=name...>',
      'header of every request whose value is in an environment variable',
      list,
    )
    .option(
      '--header <name=value...>',
      'another header of every request, which stays visible',
      (text: string, before: readonly string[] = []) => [...before, text],
    )
    .option(
      '--count <n>',
      'send it so often, each time about a new message',
      wholeNumber({ min: 1, max: 100_000 }),
      1,
    )
    .option(
      '--rate <n>',
      'events in a second, whether or not earlier ones were answered; without it, one after the other',
      numberAbove0({ of: 'events a second', max: 1_000 }),
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
  const story = storyOf(name);
  const isOne = story.length * flags.count === 1;
  const target = receiverUrl(flags.to, {
    flag: '--to',
    allowHosts: flags.allowHost ?? [],
    sent: isOne ? 'one event' : `${story.length * flags.count} events`,
    resolve: flags.resolve,
  });
  const secretHeaders = takeHeaders(secretHeadersOf(flags.headerEnv), io.env, flags.secretEnv);
  const ownHeaders = visibleHeaders(flags.header ?? []);
  const secrets = secretsOf(flags, io);
  const transport = await openReceiverTransport([target], { flags, env: io.env, cwd: io.cwd });
  const remove = hideKeys(io.session, [
    ...secretKeys(secrets),
    ...headerSecrets(secretHeaders),
    ...proxySecrets(transport),
  ]);
  const interrupts = watchInterrupts();
  const { signal } = interrupts;
  const budgetMs = flags.budget * 1_000;
  const way = wayTo(target, { transport, budgetMs });
  const answers: DeliveryResult[] = [];
  try {
    await sendMany({
      items: eventsOf(story, flags),
      perSecond: flags.rate ?? null,
      send: async (event) => {
        const body = Buffer.from(JSON.stringify(event), 'utf8');
        const { headers, ...rest } = webhookRequest({
          host: target.host,
          userAgent: `${tool.name}/${tool.version}`,
          signatureFields: secrets.map((secret) => [signatureHeader, signBody(secret, body)]),
          body,
          framing: 'content-length',
        });
        const request = { ...rest, headers: [...headers, ...ownHeaders] };
        const delivered = await sendOnce({ way, request, secretHeaders, budgetMs, signal, remove });
        return { request, delivered };
      },
      onAnswer: (event, { request, delivered }) => {
        answers.push(delivered);
        const shown = { target, event, request, delivered, secretHeaders };
        const text = isOne ? wholeText(shown) : shortLine(shown);
        io.stdout.write(`${flags.json === true ? jsonLine(shown) : text}\n`);
      },
      nowMs: systemClock.nowMs,
      until: (ms) => waitUntil(ms, systemClock, signal),
      signal,
    });
  } finally {
    interrupts.stop();
  }
  if (!isOne && flags.json !== true) io.stdout.write(`\n${sumText(answers)}\n`);
  io.exit(signal.aborted ? interruptedExitCode : exitCodeFor(answers));
}

type WebhookEvent = ReturnType<typeof eventOf>;

/** The events of a story, as often as is wished for: each time about new messages. */
function* eventsOf(story: readonly EventKind[], flags: SendFlags): Generator<WebhookEvent> {
  const { text, simulated, ...others } = flags;
  const ofReceived = {
    ...(text === undefined ? {} : { text }),
    ...(simulated === true ? { simulated } : {}),
  };
  for (let time = 0; time < flags.count; time += 1) {
    const [inbound, outbound] = [freshId(), freshId()];
    for (const kind of story) {
      const isInbound = kind === 'message.received';
      // One event alone gets the flags as they are, and says what is wrong with them.
      const own = story.length === 1 || isInbound ? { ...others, ...ofReceived } : others;
      const nowSeconds = Math.floor(Date.now() / 1_000);
      yield eventOf(kind, { flags: own, freshId: isInbound ? inbound : outbound, nowSeconds });
    }
  }
}

function freshId(): string {
  return `msg_${randomBytes(6).toString('hex')}`;
}

/** @throws {UsageError} where one cannot be read or sent. */
function visibleHeaders(texts: readonly string[]): readonly (readonly [string, string])[] {
  return texts.map((text) => {
    const pair = headerPair(text, '--header X-Trace=1');
    const [header, value] = pair;
    try {
      validateHeaderValue(header, value);
    } catch {
      throw new UsageError(`--header ${header} has a value that cannot be sent.`);
    }
    if (isSecretName(header))
      throw new UsageError(`--header ${header} may be a secret: give it with --header-env, which hides it.`);
    return pair;
  });
}

type Shown = {
  readonly target: URL;
  readonly event: WebhookEvent;
  readonly request: WebhookRequest;
  readonly delivered: DeliveryResult;
  readonly secretHeaders: HeaderValues;
};

function shownHeaders({ request, secretHeaders }: Shown) {
  return [...request.headers, ...Object.keys(secretHeaders).map((one) => [one, withheld] as const)];
}

function jsonLine(shown: Shown): string {
  const { event, delivered } = shown;
  const { status, answer, failure } = delivered;
  return JSON.stringify({ headers: shownHeaders(shown), event, status, answer, failure });
}

function wholeText(shown: Shown): string {
  const { target, request, delivered } = shown;
  const { answer } = delivered;
  return [
    `POST ${target.href}`,
    ...shownHeaders(shown).map(([field, value]) => `${field}: ${value}`),
    '',
    request.body.toString('utf8'),
    '',
    answerText(delivered),
    ...(answer === null || answer === '' ? [] : [plainText(answer, answerCharactersShown)]),
  ].join('\n');
}

function shortLine({ event, delivered }: Shown): string {
  const id = String(event.data['message_id'] ?? '');
  return `${event.event.padEnd(17)}  ${plainText(id, 60)}  ${answerText(delivered)}`;
}

/** `40 events: 38 × 200, 2 × no answer` */
function sumText(answers: readonly DeliveryResult[]): string {
  const counts = [...Map.groupBy(answers, ({ status }) => status ?? 'no answer')];
  return `${howMany(answers.length, 'event')}: ${counts.map(([what, of]) => `${of.length} × ${what}`).join(', ')}`;
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
