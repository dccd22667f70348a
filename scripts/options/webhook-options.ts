import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../../contract/usage-error.ts';
import { isLoopback } from '../../run/target/allowed-hosts.ts';
import { takeSecret } from '../../run/target/take-secrets.ts';
import type { RunningService } from '../../service/server.ts';
import type { OutboxCounts } from '../../service/webhooks/outbox.ts';
import type { WebhookSettings } from '../../service/webhooks/subscribe.ts';
import type { CommandIo } from '../commands/command-io.ts';
import { list, portOf } from './values.ts';

/** Who is told of messages by `serve`. The names of the fields are commander's. */
export type WebhookFlags = {
  readonly webhookUrl?: string;
  readonly webhookSecretEnv?: string;
  readonly data?: string;
  readonly controlPort?: number;
  readonly allowHost?: readonly string[];
};

export function addWebhookOptions(command: Command): Command {
  return command
    .option('--webhook-url <url>', 'tell this address of every message, by signed webhooks')
    .option('--webhook-secret-env <name>', 'variable of the environment that holds what they are signed with')
    .option('--data <folder>', 'keep webhooks on disk until they are delivered, also when this is killed')
    .option('--control-port <number>', 'port of this machine at which POST /inbound injects messages', portOf)
    .option(
      '--allow-host <host...>',
      'send webhooks to this host too; without it only to this machine',
      list,
    );
}

/** Given-up events that are told one by one; the sum is told at the end. */
const toldMax = 10;

/** What the flags come to; `null` where nobody subscribes. */
export function webhooksOf(flags: WebhookFlags, { env, cwd, stderr }: CommandIo): WebhookSettings | null {
  const { webhookUrl: url, webhookSecretEnv, data, controlPort } = flags;
  if (url === undefined) {
    const given = [
      ['--webhook-secret-env', webhookSecretEnv],
      ['--data', data],
      ['--control-port', controlPort],
      ['--allow-host', flags.allowHost],
    ].find(([, value]) => value !== undefined);
    if (given !== undefined) throw new UsageError(`${given[0]} is about webhooks: give --webhook-url too.`);
    return null;
  }
  if (webhookSecretEnv === undefined) {
    throw new UsageError(
      '--webhook-url needs --webhook-secret-env: the name of an environment variable that holds the secret.',
    );
  }
  checkHost(url, flags.allowHost ?? []);
  let told = 0;
  return {
    url,
    secret: takeSecret(webhookSecretEnv, '--webhook-secret-env', env),
    ...(data === undefined ? {} : { dataDirectory: resolve(cwd, data) }),
    controlPort: controlPort ?? 0,
    onGiveUp: ({ kind, eventId, why }) => {
      told += 1;
      if (told <= toldMax) stderr.write(`gave up ${kind} ${eventId}: ${why}\n`);
      if (told === toldMax) stderr.write('further events that are given up are counted\n');
    },
  };
}

/** Events hold what customers wrote: they leave this machine only where that was said. */
function checkHost(url: string, allowed: readonly string[]): void {
  // What is no URL at all the service refuses, with its own words.
  const host = URL.parse(url)?.hostname ?? 'localhost';
  if (isLoopback(host) || allowed.includes(host)) return;
  throw new UsageError(
    `--webhook-url ${url} is not on this machine. Where events are to be sent there, allow it: --allow-host ${host}`,
  );
}

/** Lines of the banner about webhooks. */
export function webhookLines(
  { webhookUrl, data }: WebhookFlags,
  { webhooks }: RunningService,
): readonly string[] {
  if (webhooks === null) return [];
  const lasting = data === undefined ? 'in memory alone' : `kept in ${data} until they are delivered`;
  return [
    `  events  to ${webhookUrl}, ${lasting}`,
    `  inbound POST ${webhooks.controlUrl}/inbound {"sender": "15550002000", "body": "Hello!", "count": 1}`,
  ];
}

/** What became of all events, for the last line. */
export function leftText(counts: OutboxCounts, data: string | undefined): string {
  const { delivered, gaveUp, refused, waiting, underWay } = counts;
  const left = waiting + underWay;
  const rest = data === undefined ? 'lost' : `kept in ${data}`;
  const parts = [
    `${delivered} webhooks delivered`,
    ...(gaveUp === 0 ? [] : [`${gaveUp} given up`]),
    ...(refused === 0 ? [] : [`${refused} refused, for the queue was full`]),
    ...(left === 0 ? [] : [`${left} ${rest}`]),
  ];
  return parts.join(', ');
}
