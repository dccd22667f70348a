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
  if (!/^Bearer +\S+$/i.test(authorization)) {
    const message = 'The Authorization header must have the form: Bearer <API_KEY>.';
    return refused(errorCodes.keyMalformed, message, 'Bearer error="invalid_request"');
  }
  const key = aliasOf(authorization.slice(authorization.lastIndexOf(' ') + 1));
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
  const known = Map.groupBy(
    [...keys].map(([alias, secret]) => ({ alias, digest: digestOf(secret) })),
    ({ digest }) => startOf(digest),
  );
  return (secret) => {
    const digest = digestOf(secret);
    for (const one of known.get(startOf(digest)) ?? none) if (one.digest === digest) return one.alias;
    return null;
  };
}

const none: readonly never[] = [];

/** Digests are found by a number: a map of texts would look each new one up among all texts of the process first. */
function startOf(digest: string): number {
  return (digest.charCodeAt(0) << 16) | (digest.charCodeAt(1) << 8) | digest.charCodeAt(2);
}

/** One character for each byte. */

function digestOf(secret: string): string {
  return hash('sha256', secret, 'latin1');
}
