import { keyPlaceOf } from '../contract/document/key-place.ts';
import { messagingDocument } from '../contract/document/messaging.ts';
import type { Limits } from '../contract/scopes.ts';
import { isApiKey } from '../contract/secret.ts';
import { createApi, epochClock } from './api.ts';
import type { ServedDocument } from './documented-behaviour.ts';
import { clientHost, listen } from './listen.ts';
import { createMessageStore } from './message-store.ts';
import { openNodeGates, type StoreSettings } from './node-gates.ts';
import { plainPathsOf } from './path.ts';
import { ServiceError } from './service-error.ts';
import { findSenderFault } from './webhooks/faults.ts';
import { type RunningWebhooks, subscribe, type WebhookSettings } from './webhooks/subscribe.ts';

export type ServiceSettings = {
  /** Default: loopback. */
  readonly host?: string;
  /** Port of the first node; the other nodes get the ports after it. 0, the default, takes any free ports. */
  readonly port?: number;
  /** How many servers answer; default: 1. */
  readonly nodes?: number;
  /** Where the windows are kept; default: in this process. */
  readonly store?: StoreSettings;
  /** Which scopes there are, and which paths are counted in them; default: the messaging document. */
  readonly document?: ServedDocument;
  readonly windowMs: number;
  /** One for each of these scopes. */
  readonly limits: Limits;
  /** Secrets by their alias. They are kept as digests only. */
  readonly keys: ReadonlyMap<string, string>;
  /** Names of deviations from the document; see `faults`, and `senderFaults` for those of webhooks. */
  readonly faults?: readonly string[];
  /** ms since the Unix epoch; must not go back. */
  readonly clock?: () => number;
  /** How long `close` waits for requests that are being answered. */
  readonly graceMs?: number;
  /** Called with a sentence when the store fails, and when it works again. */
  readonly tell?: (sentence: string) => void;
  /** The subscriber of webhooks; left out: nobody subscribes. */
  readonly webhooks?: WebhookSettings;
};

export type RunningService = {
  /** The first node's. */
  readonly url: string;
  readonly port: number;
  /** One for each node. */
  readonly urls: readonly string[];
  /** `null` where nobody subscribes. */
  readonly webhooks: RunningWebhooks | null;
  close(): Promise<void>;
};

/** As many as a trace can distinguish. */
export const nodesMax = 16;

/**
 * Starts the service and resolves when all its nodes accept connections.
 * @throws {ServiceError} where the settings cannot be used.
 */
export async function startService(settings: ServiceSettings): Promise<RunningService> {
  const { host = '127.0.0.1', nodes = 1, graceMs = 5_000, clock: nowMs = epochClock() } = settings;
  const ports = portsOf(settings.port ?? 0, nodes);
  checkKeys(settings.keys);
  const { store = { kind: 'memory' }, tell = () => undefined, document = messagingDocument } = settings;
  const { faults, senderFaults } = sortedFaults(settings.faults ?? [], settings.webhooks);
  const webhooks =
    settings.webhooks === undefined ? null : await subscribe(settings.webhooks, { nowMs, senderFaults });
  const gates = await openGates({ ...settings, document, nodes, store, faults, tell }, webhooks);
  const messages = createMessageStore({
    nowMs,
    sentBefore: webhooks?.messagesBefore ?? 0,
    onSent: (message, sentTotal) => webhooks?.outbound(message, sentTotal),
  });
  const apis = gates.gates.map((gate, node) =>
    createApi({
      ...{ gate, messages, node, nowMs },
      paths: plainPathsOf(document),
      keyPlace: keyPlaceOf(document),
    }),
  );
  const close = async (withinMs: number): Promise<void> => {
    await Promise.all(apis.map((api) => api.close(withinMs)));
    gates.close();
    await webhooks?.close(withinMs);
  };
  try {
    const bound = await Promise.all(
      apis.map((api, node) => listen(api.app, { host, port: ports[node] ?? 0 })),
    );
    const urls = bound.map((port) => `http://${clientHost(host)}:${port}`);
    return { url: urls[0] ?? '', port: bound[0] ?? 0, urls, webhooks, close: () => close(graceMs) };
  } catch (error) {
    await close(0);
    throw error;
  }
}

/** Faults of the API, and those of the sender of webhooks, which need a subscriber. */
function sortedFaults(names: readonly string[], webhooks: WebhookSettings | undefined) {
  const senderFaults = names.flatMap((name) => findSenderFault(name) ?? []);
  const [first] = senderFaults;
  if (first !== undefined && webhooks === undefined) {
    throw new ServiceError('settings', `The fault "${first.name}" is about webhooks: give a subscriber too.`);
  }
  return { faults: names.filter((name) => findSenderFault(name) === undefined), senderFaults };
}

/** Opens the gates. Where that fails, the webhooks are closed again. */
async function openGates(
  settings: Parameters<typeof openNodeGates>[0],
  webhooks: RunningWebhooks | null,
): ReturnType<typeof openNodeGates> {
  try {
    return await openNodeGates(settings);
  } catch (error) {
    await webhooks?.close(0);
    throw error;
  }
}

function portsOf(port: number, nodes: number): readonly number[] {
  if (!Number.isInteger(nodes) || nodes < 1 || nodes > nodesMax) {
    throw new ServiceError('settings', `A service has 1 to ${nodesMax} nodes, not ${nodes}.`);
  }
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new ServiceError('settings', `A port is an integer from 0 to 65535, not ${port}.`);
  }
  if (port + nodes - 1 > 65_535) {
    throw new ServiceError(
      'settings',
      `${nodes} nodes need ${nodes} ports in a row, and ${port} is too high.`,
    );
  }
  return Array.from({ length: nodes }, (_, node) => (port === 0 ? 0 : port + node));
}

/** Error messages name aliases, never secrets. */
function checkKeys(keys: ReadonlyMap<string, string>): void {
  if (keys.size === 0) throw new ServiceError('settings', 'A service needs at least one API key.');
  for (const [alias, secret] of keys) {
    if (isApiKey(secret)) continue;
    throw new ServiceError(
      'settings',
      `Key ${alias} must be 1 to 4096 printable ASCII characters without spaces.`,
    );
  }
  if (new Set(keys.values()).size < keys.size) {
    throw new ServiceError(
      'settings',
      `The keys ${[...keys.keys()].join(', ')} must differ from each other.`,
    );
  }
}
