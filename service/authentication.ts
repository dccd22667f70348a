import { hash } from 'node:crypto';
import type { Authentication } from './behaviour.ts';
import { errorCodes } from './choices.ts';

/** Section "Authentication": `Authorization: Bearer <API_KEY>`; the scheme in any case (RFC 9110 §11.1). */
export function authenticate(
  authorization: string | null,
  aliasOf: (secret: string) => string | null,
): Authentication {
  if (authorization === null) {
    return refused(errorCodes.keyMissing, 'An API key is needed: Authorization: Bearer <API_KEY>.', 'Bearer');
  }
  const secret = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (secret === undefined) {
    const message = 'The Authorization header must have the form: Bearer <API_KEY>.';
    return refused(errorCodes.keyMalformed, message, 'Bearer error="invalid_request"');
  }
  const key = aliasOf(secret);
  if (key === null) {
    return refused(errorCodes.keyUnknown, 'The API key is not known.', 'Bearer error="invalid_token"');
  }
  return { kind: 'key', key };
}

/** The challenge is that of RFC 6750 §3. */
function refused(code: string, message: string, challenge: string): Authentication {
  return {
    kind: 'refused',
    error: { status: 401, code, message, headers: [['WWW-Authenticate', challenge]] },
  };
}

/**
 * Finds the alias of an API key. It keeps and compares SHA-256 digests alone, so the time of a look-up reveals nothing
 * about a key, and no secret stands in the service's memory or logs.
 * @param keys secrets by their alias.
 */
export function createKeyring(keys: ReadonlyMap<string, string>): (secret: string) => string | null {
  const aliases = new Map([...keys].map(([alias, secret]) => [digestOf(secret), alias]));
  return (secret) => aliases.get(digestOf(secret)) ?? null;
}

function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64');
}
