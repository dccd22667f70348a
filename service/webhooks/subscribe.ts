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
  /** Keeps a journal in this directory, so that events outlive the process; memory alone where it is left out. */
  readonly dataDirectory?: string;
  /** Opens the control endpoint on this port of this machine (0 takes any free one); none where it is left out. */
  readonly controlPort?: number;
  /** Told of each event that is given up. */
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
 * Starts webhooks by settings of a user.
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
      `"${url}" is no address for webhooks: give one like http://127.0.0.1:3000/hooks.`,
    );
  if (secret === '')
    throw new ServiceError('settings', 'Webhooks need a secret to be signed with; it is empty.');
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
