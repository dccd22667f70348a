import process from 'node:process';
import { documentedLimits } from '../contract/scopes.ts';
import { startService } from '../service/server.ts';

/** What the service is started with, as the parent writes it into the environment. */
export type ServedWebhooks = {
  readonly key: string;
  readonly webhookUrl: string;
  readonly secret: string;
  readonly dataDirectory: string;
};

/** What a service in a process of its own says of itself. */
export type ServiceState = {
  readonly url: string;
  readonly controlUrl: string;
  readonly rssBytes: number;
  readonly cpuSeconds: number;
};

/** A service with webhooks in a process of its own, whose memory is its own and which can be killed. */
const { key, webhookUrl, secret, dataDirectory } = JSON.parse(
  process.env['SERVED_WEBHOOKS'] ?? '{}',
) as ServedWebhooks;
const service = await startService({
  windowMs: 60_000,
  limits: documentedLimits,
  keys: new Map([['A', key]]),
  webhooks: { url: webhookUrl, secret, dataDirectory, controlPort: 0 },
});

function state(): ServiceState {
  const { user, system } = process.cpuUsage();
  return {
    url: service.url,
    controlUrl: service.webhooks?.controlUrl ?? '',
    rssBytes: process.memoryUsage().rss,
    cpuSeconds: (user + system) / 1e6,
  };
}

process.on('message', () => process.send?.(state()));
process.on('disconnect', () => process.exit());
process.send?.(state());
