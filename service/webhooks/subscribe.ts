import { ServiceError } from '../service-error.ts';
import { type Control, startControl } from './control.ts';
import { withSenderFaults } from './faults.ts';
import type { GaveUp } from './outbox.ts';
import { documentedSender } from './sender.ts';
import type { SenderDeviation } from './sender-fault.ts';
import { startWebhooks, type Webhooks } from './webhooks.ts';

export type WebhookSettings = {
  /** Address of the subscriber's receiver. */
  readonly url: string;
  /** What events are signed with. */
  readonly secret: string;
  /** Directory of the journal, so that events survive the process. Left out: events are in memory alone. */
  readonly dataDirectory?: string;
  /** Port of the control endpoint on this machine; 0 takes any free one. Left out: there is none. */
  readonly controlPort?: number;
  /** Called with each event that is given up. */
  readonly onGiveUp?: (gaveUp: GaveUp) => void;
};

export type RunningWebhooks = Webhooks & {
  /** `null` where it was not asked for. */
  readonly controlUrl: string | null;
};

export type SubscribeContext = {
  /** ms since the Unix epoch. */
  readonly nowMs: () => number;
  readonly senderFaults: readonly SenderDeviation[];
};

/**
 * Starts webhooks from a user's settings.
 * @throws {ServiceError} where they cannot be used.
 */
export async function subscribe(
  settings: WebhookSettings,
  { nowMs, senderFaults }: SubscribeContext,
): Promise<RunningWebhooks> {
  const { url, secret, dataDirectory = null, controlPort, onGiveUp = () => undefined } = settings;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new ServiceError(
      'settings',
      `"${url}" is not an address for webhooks: give one like http://127.0.0.1:3000/hooks.`,
    );
  if (secret === '') throw new ServiceError('settings', 'The secret that signs webhooks is empty: set it.');
  const parts = {
    url,
    secret,
    dataDirectory,
    onGiveUp,
    nowMs,
    sender: withSenderFaults(documentedSender, senderFaults),
    random: Math.random,
  };
  const webhooks = startWebhooks(parts);
  let control: Control | null = null;
  try {
    if (controlPort !== undefined) control = await startControl(webhooks, controlPort);
  } catch (error) {
    await webhooks.close(0);
    throw error;
  }
  return {
    ...webhooks,
    controlUrl: control?.url ?? null,
    async close(graceMs) {
      await control?.close();
      await webhooks.close(graceMs);
    },
  };
}
