import { partsOf } from '../contract/document/document.ts';
import { sharesLimits } from '../contract/document/within.ts';
import type { Limits } from '../contract/scopes.ts';
import { createKeyring } from './authentication.ts';
import { behaviourOf, documentedBehaviour, type ServedDocument } from './documented-behaviour.ts';
import type { Deviation } from './faults/fault.ts';
import { faults, findFault, withFaults } from './faults.ts';
import { createGate, type GateSettings, type WaitingGate } from './gate.ts';
import { inHeadersOf } from './header-style.ts';
import { ServiceError } from './service-error.ts';
import { createSharedGate, leavesCountingAlone } from './shared-gate.ts';
import { namespaceOf } from './store/namespace.ts';
import { parseRedisUrl } from './store/redis-url.ts';
import { createStoreHealth } from './store/store-health.ts';

/** Where the windows are kept. */
export type StoreSettings =
  /** In this process, for all nodes together. */
  | { readonly kind: 'memory' }
  /** In each node for itself: with several nodes, a key gets its limit from each of them. */
  | { readonly kind: 'none' }
  /** In Redis. Services with the same keys, limits and windows share them. */
  | {
      readonly kind: 'redis';
      readonly url: string;
      /** How long one decision may take; default: a second. */
      readonly decisionMsMax?: number;
    };

export type NodeGatesSettings = {
  readonly nodes: number;
  readonly store: StoreSettings;
  readonly document: ServedDocument;
  readonly windowMs: number;
  readonly limits: Limits;
  /** Secrets by their alias. */
  readonly keys: ReadonlyMap<string, string>;
  /** Names of deviations from the document. */
  readonly faults: readonly string[];
  /** Called with a sentence when the store fails, and when it works again. */
  readonly tell: (sentence: string) => void;
};

export type NodeGates = {
  /** One for each node. Nodes that count together in this process share one. */
  readonly gates: readonly WaitingGate[];
  close(): void;
};

/**
 * The gates of a service's nodes.
 * @throws {ServiceError} where the settings do not fit together, or the store cannot be opened.
 */
export async function openNodeGates(settings: NodeGatesSettings): Promise<NodeGates> {
  const { nodes, store, windowMs, limits, keys, document } = settings;
  const documented = behaviourOf(document);
  const chosen = settings.faults.map(faultOf);
  const gateSettings = (): GateSettings => ({
    behaviour: inHeadersOf(document, withFaults(documented, chosen)),
    aliasOf: createKeyring(keys),
    limits,
    windowMs,
  });
  switch (store.kind) {
    case 'memory': {
      const gate = inProcess(gateSettings(), settings.faults);
      return { gates: ofEach(nodes, () => gate), close: () => undefined };
    }
    case 'none':
      return {
        gates: ofEach(nodes, () => inProcess(gateSettings(), settings.faults)),
        close: () => undefined,
      };
    case 'redis':
      inProcess(gateSettings(), settings.faults);
      return inRedis(store, ofEach(nodes, gateSettings), settings);
    default:
      return store satisfies never;
  }
}

function inProcess(settings: GateSettings, names: readonly string[]): WaitingGate {
  try {
    return createGate(settings);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const cause = names.length === 0 ? '' : ` (with ${names.join(', ')})`;
    throw new ServiceError('settings', `These limits cannot be kept${cause}: ${error.message}.`);
  }
}

/** One connection for each node, as nodes on machines of their own would have. */
async function inRedis(
  { url, decisionMsMax = 1_000 }: Extract<StoreSettings, { readonly kind: 'redis' }>,
  gateSettings: readonly GateSettings[],
  { faults: names, tell, ...settings }: NodeGatesSettings,
): Promise<NodeGates> {
  const address = parseRedisUrl(url);
  checkCounting(names);
  checkPromises(settings.document);
  // Its client is as many modules as all else that a service needs.
  const { openRedisStore } = await import('./store/redis-store.ts');
  const namespace = namespaceOf(settings);
  const health = createStoreHealth(address.shown, tell);
  const results = await Promise.allSettled(
    gateSettings.map(async (one, connection) => {
      const store = await openRedisStore({ address, namespace, connection, health, decisionMsMax });
      return { gate: createSharedGate(one, store), close: store.close };
    }),
  );
  const opened = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const close = (): void => {
    for (const one of opened) one.close();
  };
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) {
    close();
    throw failure.reason;
  }
  return { gates: opened.map(({ gate }) => gate), close };
}

/** A fault that changes how requests are counted would do nothing where Redis counts them, so it is refused. */
function checkCounting(names: readonly string[]): void {
  const counting = names.filter((name) => !leavesCountingAlone(faultOf(name).patch(documentedBehaviour)));
  if (counting.length === 0) return;
  throw new ServiceError(
    'settings',
    `${counting.join(', ')}: Redis counts the requests itself, and a fault cannot change that. Use the store memory.`,
  );
}

/** Redis keeps one rolling window for each scope: a document that promises others would not be kept. */
function checkPromises(document: ServedDocument): void {
  const others = Object.keys(document.scopes).filter((scope) => {
    const parts = partsOf(document, scope);
    return (
      sharesLimits(document, scope) ||
      parts.length > 1 ||
      parts.some(({ promise: { kind } }) => kind === 'fixed' || kind === 'token-bucket')
    );
  });
  if (others.length === 0) return;
  throw new ServiceError(
    'settings',
    `The document promises other limits than one rolling window for ${others.join(', ')}, and Redis keeps no others. Use the store memory.`,
  );
}

function faultOf(name: string): Deviation {
  const fault = findFault(name);
  if (fault !== undefined) return fault;
  const names = faults.map((known) => known.name).join(', ');
  throw new ServiceError('settings', `There is no fault "${name}": choose from ${names}.`);
}

function ofEach<Value>(nodes: number, make: () => Value): readonly Value[] {
  return Array.from({ length: nodes }, make);
}
