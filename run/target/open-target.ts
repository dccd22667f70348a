import { resolve } from 'node:path';
import type { ProbeKey } from '../../checks/http-request.ts';
import { clauseIn } from '../../contract/clauses/of-document.ts';
import type { Deployment } from '../../contract/deployment.ts';
import { limitsOf } from '../../contract/document/document.ts';
import { plainTransport, type Transport } from '../../contract/transport.ts';
import type { RunningWebhooks } from '../../service/webhooks/subscribe.ts';
import { openWebhookStage, type WebhookStage } from '../stages/webhook-stage.ts';
import { embeddedWebhookSecret } from '../webhooks/embedded.ts';
import { checkHosts } from './allowed-hosts.ts';
import { lockKeys } from './key-lock.ts';
import { type Environment, keysOf, newKey, readKeysFile } from './keys.ts';
import { type HeaderValues, takeHeaders } from './secret-headers.ts';
import type { Settings } from './settle-settings.ts';
import { openTransport, withProxy } from './transport/open-transport.ts';

/** A deployment that can be probed: its address is known, its keys are at hand. */
export type Target = {
  readonly deployment: Deployment;
  readonly transport: Transport;
  /** How long to wait until it answers, seconds; 0 is not at all. */
  readonly waitSeconds: number;
  /** Headers of all requests that must not be written anywhere; `deployment` holds their names alone. */
  readonly secretHeaders: HeaderValues;
  readonly keys: readonly ProbeKey[];
  /** Further keys of the load suite, by their alias. */
  readonly loadKeys: ReadonlyMap<string, string>;
  readonly origin: string;
  /** Where the deployment's webhooks are received; `null` where it cannot be made to send them here. */
  readonly webhooks: { readonly stage: WebhookStage; readonly sender: RunningWebhooks } | null;
  close(): Promise<void>;
};

export type OpenOptions = {
  readonly env: Environment;
  readonly cwd: string;
  readonly allowHosts: readonly string[];
  /** What goes to them, for a refusal: "hundreds of requests". */
  readonly sent: string;
  /** Keys that the load suite wants beside those of the settings. */
  readonly loadAliases: readonly string[];
  /** Whether the webhooks of the embedded service are received. */
  readonly webhooks: 'received' | 'none';
  /** A file that holds them; `null` where there is none. */
  readonly keysFile: string | null;
};

/**
 * Takes the keys from the environment, or starts the embedded service with two keys of its own.
 * @throws {UsageError} where a host is not allowed, a key is missing, or another run on this machine uses it.
 */
export async function openTarget(settings: Settings, options: OpenOptions): Promise<Target> {
  const { kind, deployment, origin } = settings;
  if (kind === 'embedded') return embeddedTarget(settings, options);
  checkHosts(deployment.baseUrls, options.allowHosts, options.sent, deployment.transport?.resolve);
  const transport = await openTransport(deployment, options);
  const secretHeaders = takeHeaders(settings.secretHeaders, options.env, deployment.keyEnv);
  const keys = keysOf(deployment, options.env);
  const loadKeys = await keysFromFile(options);
  const release = lockKeys({
    keys: [...keys, ...[...loadKeys].map(([alias, secret]) => ({ alias, secret }))],
    baseUrls: deployment.baseUrls,
    env: options.env,
  });
  return {
    deployment: withProxy(deployment, transport),
    transport,
    waitSeconds: settings.waitSeconds,
    secretHeaders,
    keys,
    loadKeys,
    origin,
    webhooks: null,
    close: () => Promise.resolve(release()),
  };
}

async function embeddedTarget({ deployment, origin }: Settings, options: OpenOptions): Promise<Target> {
  const keys = ['A', 'B'].map((alias) => ({ alias, secret: newKey() }));
  const loadKeys = new Map(options.loadAliases.map((alias) => [alias, newKey()]));
  // Webhooks tell of messages.
  const hasMessages = clauseIn(deployment.document, 'load.messages-burst') !== undefined;
  const hasWebhooks = options.webhooks === 'received' && hasMessages;
  const stage = hasWebhooks ? await openWebhookStage() : null;
  // Runs against a deployment have no use for the server.
  const { startService } = await import('../../service/server.ts');
  const service = await startService({
    windowMs: deployment.windowSeconds * 1_000,
    document: deployment.document,
    limits: limitsOf(deployment.document),
    keys: new Map([...keys.map(({ alias, secret }) => [alias, secret] as const), ...loadKeys]),
    nodes: deployment.baseUrls.length,
    ...(stage === null ? {} : { webhooks: { url: stage.url, secret: embeddedWebhookSecret } }),
  }).catch(async (error: unknown) => {
    await stage?.close();
    throw error;
  });
  return {
    deployment: { ...deployment, baseUrls: [...service.urls] },
    transport: plainTransport,
    waitSeconds: 0,
    secretHeaders: {},
    keys,
    loadKeys,
    origin,
    webhooks: stage === null || service.webhooks === null ? null : { stage, sender: service.webhooks },
    close: async () => {
      await service.close();
      await stage?.close();
    },
  };
}

async function keysFromFile({
  keysFile,
  cwd,
  loadAliases,
}: OpenOptions): Promise<ReadonlyMap<string, string>> {
  if (keysFile === null || loadAliases.length === 0) return new Map();
  const secrets = await readKeysFile(resolve(cwd, keysFile), loadAliases.length);
  return new Map(loadAliases.map((alias, at) => [alias, secrets[at] ?? '']));
}
