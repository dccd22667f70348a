import type { FastifyInstance } from 'fastify';
import { codeOf } from '../contract/thrown.ts';
import { ServiceError } from './service-error.ts';

export type Place = { readonly host: string; readonly port: number };

/**
 * Accepts connections at a place and returns the port, which is a free one where the place says 0.
 * @throws {ServiceError} where the operating system refuses the place.
 */
export async function listen(app: FastifyInstance, place: Place): Promise<number> {
  try {
    await app.listen(place);
  } catch (error) {
    throw listenError(error, place) ?? error;
  }
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : place.port;
}

/** The host by which a client on this machine reaches what listens on `host`. */
export function clientHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** What `listen` threw, as a message about the settings; `null` where no setting explains it. */
export function listenError(error: unknown, { host, port }: Place): ServiceError | null {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new ServiceError(
        'port-in-use',
        `Port ${port} on ${host} is in use: choose another, or 0 for any free one.`,
      );
    case 'EACCES':
      return new ServiceError(
        'port-forbidden',
        `Port ${port} on ${host} needs more rights: choose one from 1024 on, or 0.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    // The resolver takes no name of so many characters.
    case 'EINVAL':
      return new ServiceError(
        'host-unusable',
        `"${host}" is not an address of this machine: choose e.g. 127.0.0.1.`,
      );
    default:
      return null;
  }
}
