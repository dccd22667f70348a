import { hash } from 'node:crypto';

/**
 * Finds the alias of an API key. Only SHA-256 digests are kept and compared: how long a look-up takes tells nothing
 * about a key, and no secret can be read out of the service's memory or logs.
 * @param keys secrets by their alias.
 */
export function createKeyring(keys: ReadonlyMap<string, string>): (secret: string) => string | null {
  const aliases = new Map([...keys].map(([alias, secret]) => [digestOf(secret), alias]));
  return (secret) => aliases.get(digestOf(secret)) ?? null;
}

function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64');
}
