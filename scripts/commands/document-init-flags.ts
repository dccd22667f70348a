import type { Keys } from '../../contract/document/keys.ts';
import type { RequestMethod } from '../../contract/request-template.ts';
import { UsageError } from '../../contract/usage-error.ts';
import type { SentToEndpoint } from '../../run/document/init-draft.ts';
import { isLoopback } from '../../run/target/allowed-hosts.ts';
import { secretHeadersOf } from '../../run/target/secret-headers.ts';
import type { TransportFlags } from '../../run/target/transport/transport-flags.ts';

/** The flags of `document init`, as commander reads them. */
export type InitFlags = TransportFlags & {
  readonly url: string;
  readonly path?: string;
  readonly method: RequestMethod;
  readonly body?: string;
  readonly contentType: string;
  readonly keyEnv?: string;
  readonly keyHeader?: Keys;
  readonly keyQuery?: Keys;
  readonly headerEnv?: readonly string[];
  readonly header?: readonly string[];
  readonly allowHost?: readonly string[];
  readonly timeout: number;
  readonly title?: string;
  readonly limit?: number;
  readonly window?: number;
  readonly promise?: string;
  readonly out: string;
  readonly yes?: true;
};

/**
 * Where the flags put the key.
 * @throws {UsageError} where they name no key.
 */
export function keysOf({ keyEnv, keyHeader, keyQuery }: InitFlags): Keys | undefined {
  const keys = keyHeader ?? keyQuery;
  if (keys === undefined || keyEnv !== undefined) return keys;
  const flag = keyHeader === undefined ? '--key-query' : '--key-header';
  throw new UsageError(`${flag} says where the key goes: name the variable that holds it with --key-env.`);
}

/** What the flags send with a request: a key, secret headers, or neither. */
export function sentBy(flags: InitFlags): SentToEndpoint {
  const { keyEnv, headerEnv = [] } = flags;
  if (keyEnv !== undefined) return { kind: 'key', keys: keysOf(flags) ?? 'bearer' };
  const names = secretHeadersOf(headerEnv).map(({ name }) => name);
  return names.length === 0 ? { kind: 'nothing' } : { kind: 'headers', names };
}

/**
 * The address without a query, where a path follows it.
 * @throws {UsageError} where the path does not begin with a slash, or the address has a query.
 */
export function baseOf({ url, path }: InitFlags): string {
  if (path === undefined) return url;
  if (!path.startsWith('/')) throw new UsageError('--path must start with "/".');
  if (/[?#]/.test(url)) throw new UsageError('--url must have no query or fragment where --path is given.');
  return url.replace(/\/$/, '');
}

/** Those that a flag gave as they are; of the environment’s not even the names. */
export function headersToShow(headers: Readonly<Record<string, string>>, { headerEnv = [] }: InitFlags) {
  const secret = new Set(headerEnv.map((text) => text.split('=')[0]?.toLowerCase()));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !secret.has(name.toLowerCase())));
}

/** The flags of the commands that come next, `plan` and `run`. */
export function nextFlags({
  where,
  flags,
  path,
}: {
  readonly where: string;
  readonly flags: InitFlags;
  readonly path: string;
}): string {
  const { hostname } = new URL(where);
  return [
    `--url ${where}`,
    ...(sentBy(flags).kind === 'nothing' ? [] : [`--key-env ${flags.keyEnv ?? 'KEY_A'},KEY_B`]),
    ...(flags.headerEnv ?? []).map((text) => `--header-env ${text}`),
    ...(isLoopback(hostname) ? [] : [`--allow-host ${hostname}`]),
    `--document ${path}`,
  ].join(' ');
}
