import type { Limits } from '../contract/scopes.ts';
import { createApi } from './api.ts';
import { documentedBehaviour } from './documented-behaviour.ts';
import type { Deviation } from './faults/fault.ts';
import { faults, findFault, withFaults } from './faults.ts';
import { createGate, type Gate } from './gate.ts';
import { createKeyring } from './keyring.ts';
import { listenError, ServiceError } from './service-error.ts';

export type ServiceSettings = {
  /** Loopback where nothing is said. */
  readonly host?: string;
  /** 0, which is also the default, takes any free port. */
  readonly port?: number;
  readonly windowMs: number;
  readonly limits: Limits;
  /** Secrets by their alias. They are kept as digests only. */
  readonly keys: ReadonlyMap<string, string>;
  /** Names of deviations from the document; see `faults`. */
  readonly faults?: readonly string[];
  /** Number of this node, where a service has several. */
  readonly node?: number;
  /** ms since the Unix epoch; must not go back. */
  readonly clock?: () => number;
  /** How long `close` waits for requests that are being answered. */
  readonly graceMs?: number;
};

export type RunningService = {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
};

/**
 * Starts the service and resolves when it accepts connections.
 * @throws {ServiceError} where the settings cannot be used.
 */
export async function startService(settings: ServiceSettings): Promise<RunningService> {
  const { host = '127.0.0.1', port = 0, node = 0, graceMs = 5_000, clock: nowMs = epochClock() } = settings;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new ServiceError('settings', `A port is an integer from 0 to 65535, not ${port}.`);
  }
  const { app, close } = createApi({ gate: gateOf(settings), node, nowMs });
  try {
    await app.listen({ host, port });
  } catch (error) {
    await close(0);
    throw listenError(error, { host, port }) ?? error;
  }
  const address = app.server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return { url: `http://${clientHost(host)}:${bound}`, port: bound, close: () => close(graceMs) };
}

function gateOf({ keys, limits, windowMs, faults: names = [] }: ServiceSettings): Gate {
  checkKeys(keys);
  const behaviour = withFaults(documentedBehaviour, names.map(faultOf));
  try {
    return createGate({ behaviour, aliasOf: createKeyring(keys), limits, windowMs });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const cause = names.length === 0 ? '' : ` (with ${names.join(', ')})`;
    throw new ServiceError('settings', `These limits cannot be kept${cause}: ${error.message}.`);
  }
}

function faultOf(name: string): Deviation {
  const fault = findFault(name);
  if (fault !== undefined) return fault;
  const names = faults.map((known) => known.name).join(', ');
  throw new ServiceError('settings', `There is no fault "${name}": choose from ${names}.`);
}

/** Messages name aliases, never secrets. */
function checkKeys(keys: ReadonlyMap<string, string>): void {
  if (keys.size === 0) throw new ServiceError('settings', 'A service needs at least one API key.');
  for (const [alias, secret] of keys) {
    // Only such a key comes through an HTTP header as it is.
    if (/^[\x21-\x7e]{1,4096}$/.test(secret)) continue;
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

/** The wall clock at this moment, carried on by the monotonic one: a step of the wall clock moves no window. */
function epochClock(): () => number {
  const originMs = Date.now() - performance.now();
  return () => originMs + performance.now();
}

/** The host by which a client on this machine reaches what listens on `host`. */
function clientHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
