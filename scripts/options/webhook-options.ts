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

/** Where `serve` sends webhooks. The names of the fields are commander's. */
export type WebhookFlags = {
  readonly webhookUrl?: string;
  readonly webhookSecretEnv?: string;
  readonly data?: string;
  readonly controlPort?: number;
  readonly allowHost?: readonly string[];
};

export function addWebhookOptions(command: Command): Command {
  return command
    .option('--webhook-url <url>', 'send signed webhooks for every message to this address')
    .option('--webhook-secret-env <name>', 'environment variable that holds the webhook secret')
    .option(
      '--data <folder>',
      'keep webhooks on disk until they are delivered, even if this program is killed',
    )
    .option('--control-port <number>', 'port of this machine where POST /inbound injects messages', portOf)
    .option(
      '--allow-host <host...>',
      'also send webhooks to this host; without this flag, only to this machine',
      list,
    );
}

/** Up to this many given-up events are reported one by one; the total is reported at the end. */
const reportedMax = 10;

/** The settings that the flags make; `null` where nobody subscribes. */
export function webhooksOf(flags: WebhookFlags, { env, cwd, stderr }: CommandIo): WebhookSettings | null {
  const { webhookUrl: url, webhookSecretEnv, data, controlPort } = flags;
  if (url === undefined) {
    const given = [
      ['--webhook-secret-env', webhookSecretEnv],
      ['--data', data],
      ['--control-port', controlPort],
      ['--allow-host', flags.allowHost],
    ].find(([, value]) => value !== undefined);
    if (given !== undefined) throw new UsageError(`${given[0]} is for webhooks: give --webhook-url too.`);
    return null;
  }
  if (webhookSecretEnv === undefined) {
    throw new UsageError(
      '--webhook-url needs --webhook-secret-env: the name of an environment variable that holds the secret.',
    );
  }
  checkHost(url, flags.allowHost ?? []);
  let reported = 0;
  return {
    url,
    secret: takeSecret(webhookSecretEnv, '--webhook-secret-env', env),
    ...(data === undefined ? {} : { dataDirectory: resolve(cwd, data) }),
    controlPort: controlPort ?? 0,
    onGiveUp: ({ kind, eventId, why }) => {
      reported += 1;
      if (reported <= reportedMax) stderr.write(`gave up ${kind} ${eventId}: ${why}\n`);
      if (reported === reportedMax) stderr.write('more events that are given up are only counted\n');
    },
  };
}

/** Events hold what customers wrote: they leave this machine only if a flag allows it. */
function checkHost(url: string, allowed: readonly string[]): void {
  // The service itself refuses what is no URL, with a message of its own.
  const host = URL.parse(url)?.hostname ?? 'localhost';
  if (isLoopback(host) || allowed.includes(host)) return;
  throw new UsageError(
    `--webhook-url ${url} is not on this machine. To send events there, allow it: --allow-host ${host}`,
  );
}

/** Lines of the banner about webhooks. */
export function webhookLines(
  { webhookUrl, data }: WebhookFlags,
  { webhooks }: RunningService,
): readonly string[] {
  if (webhooks === null) return [];
  const lasting = data === undefined ? 'in memory only' : `kept in ${data} until they are delivered`;
  return [
    `  events  to ${webhookUrl}, ${lasting}`,
    `  inbound POST ${webhooks.controlUrl}/inbound {"sender": "15550002000", "body": "Hello!", "count": 1}`,
    `  again   POST ${webhooks.controlUrl}/redeliver sends what was given up`,
  ];
}

/** How many events were delivered, given up, refused and left: the last line. */
export function leftText(counts: OutboxCounts, data: string | undefined): string {
  const { delivered, gaveUp, refused, waiting, underWay } = counts;
  const left = waiting + underWay;
  const rest = data === undefined ? 'lost' : `kept in ${data}`;
  const parts = [
    `${delivered} webhooks delivered`,
    ...(gaveUp === 0 ? [] : [`${gaveUp} given up`]),
    ...(refused === 0 ? [] : [`${refused} refused because the queue was full`]),
    ...(left === 0 ? [] : [`${left} ${rest}`]),
  ];
  return parts.join(', ');
}
