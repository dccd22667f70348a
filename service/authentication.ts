import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { bearerHeader, type KeyPlace, keyField } from '../contract/document/key-place.ts';
import { isSameHeader } from '../contract/header-name.ts';
import { parameterIn } from '../contract/query.ts';
import type { Authentication, Behaviour, HeaderField } from './behaviour.ts';
import { errorCodes } from './choices.ts';

/** Section "Authentication": `Authorization: Bearer <API_KEY>`; the scheme in any case (RFC 9110 §11.1). */
export const authenticate = authenticateBy(bearerHeader);

/** Who asks without a key where none is needed. */
export const anybody = 'anybody';

/**
 * Takes keys in one place. What stands there comes as `bearerForm` gives it, whatever the place is.
 * The challenge in `Authorization` is that of RFC 6750 §3.
 */
export function authenticateBy(place: KeyPlace): Behaviour['authenticate'] {
  const form = keyField(place, '<API_KEY>');
  const scheme = place.in === 'header' ? place.before.trimEnd() : '';
  const malformed =
    place.in === 'header'
      ? `The ${place.name} header must have the form: ${place.before}<API_KEY>.`
      : `The parameter ${place.name} must hold a key: ${form}.`;
  const refused = (code: string, message: string, error: string): Authentication => {
    const challenge = error === '' ? scheme : `${scheme} error="${error}"`;
    const isChallenge = isSameHeader(bearerHeader.name, place.name) && scheme !== '';
    const headers: readonly HeaderField[] = isChallenge ? [['WWW-Authenticate', challenge]] : [];
    return { kind: 'refused', error: { status: 401, code, message, headers } };
  };
  return (authorization, aliasOf) => {
    if (authorization === null) return refused(errorCodes.keyMissing, `An API key is needed: ${form}.`, '');
    if (!/^Bearer +\S+$/i.test(authorization)) {
      return refused(errorCodes.keyMalformed, malformed, 'invalid_request');
    }
    const key = aliasOf(authorization.slice(authorization.lastIndexOf(' ') + 1));
    return key === null
      ? refused(errorCodes.keyUnknown, 'The API key is not known.', 'invalid_token')
      : { kind: 'key', key };
  };
}

/**
 * What a request has for a key, as if it stood in `Authorization` as a bearer token: so faults of a service work wherever keys
 * stand.
 */
export function bearerForm(place: KeyPlace): (request: IncomingMessage) => string | null {
  if (place === bearerHeader) return ({ headers }) => headers.authorization ?? null;
  if (place.in === 'query') {
    return ({ url = '' }) => {
      const value = parameterIn(url, place.name);
      return value === null ? null : `Bearer ${value}`.trimEnd();
    };
  }
  const { before } = place;
  const field = place.name.toLowerCase();
  return ({ headers }) => {
    const value = headers[field];
    if (typeof value !== 'string') return null;
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
