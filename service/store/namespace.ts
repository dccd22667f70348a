import { hash } from 'node:crypto';
import { scopesOf, windowShareOf } from '../../contract/document/document.ts';
import type { Limits } from '../../contract/scopes.ts';
import type { ServedDocument } from '../documented-behaviour.ts';

/** What two services have in common that count together. */
export type CountedTogether = {
  /** Secrets by their alias. */
  readonly keys: ReadonlyMap<string, string>;
  readonly limits: Limits;
  readonly windowMs: number;
  readonly document: Pick<ServedDocument, 'scopes' | 'windowSeconds'>;
};

/**
 * The prefix of a service's windows. Each is named by the alias of its key, which another service may use for another key; and scopes may
 * have windows of their own.
 */
export function namespaceOf({ keys, limits, windowMs, document }: CountedTogether): string {
  const windows = scopesOf(document).map((scope) => [scope, windowMs * windowShareOf(document, scope)]);
  const text = JSON.stringify([[...keys].sort(), limits, windowMs, windows]);
  return `messaging-conformance:${hash('sha256', text, 'base64url').slice(0, 16)}`;
}
