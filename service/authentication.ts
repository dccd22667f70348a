import { hash } from 'node:crypto';
import { bearerHeader, type KeyHeader, keyField } from '../contract/document/key-header.ts';
import { isSameHeader } from '../contract/header-name.ts';
import type { Authentication, Behaviour, HeaderField } from './behaviour.ts';
import { errorCodes } from './choices.ts';

/** Section "Authentication": `Authorization: Bearer <API_KEY>`; the scheme in any case (RFC 9110 §11.1). */
export const authenticate = authenticateBy(bearerHeader);

/**
 * Takes keys in one header. What stands in it comes as `bearerForm` gives it, whatever the header is.
 * The challenge in `Authorization` is that of RFC 6750 §3.
 */
export function authenticateBy(header: KeyHeader): Behaviour['authenticate'] {
  const { name, before } = header;
  const form = keyField(header, '<API_KEY>');
  const scheme = before.trimEnd();
  const refused = (code: string, message: string, error: string): Authentication => {
    const challenge = error === '' ? scheme : `${scheme} error="${error}"`;
    const isChallenge = isSameHeader(bearerHeader.name, name) && scheme !== '';
    const headers: readonly HeaderField[] = isChallenge ? [['WWW-Authenticate', challenge]] : [];
    return { kind: 'refused', error: { status: 401, code, message, headers } };
  };
  return (authorization, aliasOf) => {
    if (authorization === null) return refused(errorCodes.keyMissing, `An API key is needed: ${form}.`, '');
    if (!/^Bearer +\S+$/i.test(authorization)) {
      const message = `The ${name} header must have the form: ${before}<API_KEY>.`;
      return refused(errorCodes.keyMalformed, message, 'invalid_request');
    }
    const key = aliasOf(authorization.slice(authorization.lastIndexOf(' ') + 1));
    return key === null
      ? refused(errorCodes.keyUnknown, 'The API key is not known.', 'invalid_token')
      : { kind: 'key', key };
  };
}

/**
 * What stands in the header of keys, as if it stood in `Authorization` as a bearer token: so faults of a service work on any
 * header.
 */
export function bearerForm(header: KeyHeader): (value: string | undefined) => string | null {
  const { before } = header;
  if (header === bearerHeader) return (value) => value ?? null;
  return (value) => {
    if (value === undefined) return null;
    const isOfScheme = value.slice(0, before.length).toLowerCase() === before.toLowerCase();
    return isOfScheme ? `Bearer ${value.slice(before.length)}` : 'Bearer';
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
