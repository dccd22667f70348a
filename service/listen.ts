import type { Api } from './api.ts';
import { listenError } from './service-error.ts';

export type Place = { readonly host: string; readonly port: number };

/**
 * Accepts connections there, and gives the port.
 * @throws {ServiceError} where the place cannot be had.
 */
export async function listen({ app }: Api, place: Place): Promise<number> {
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
