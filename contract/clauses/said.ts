import { areKeysCountedTogether } from '../document/counted-by.ts';
import { type Document, isRollingIn, partsOf, perSecondOf, scopesOf } from '../document/document.ts';
import { type PromisedHeaders, promisedHeaders } from '../document/headers.ts';
import { whyNoLoad } from '../document/load-scopes.ts';
import { allHeadersOf } from '../document/scope-headers.ts';
import { outermostOf } from '../document/within.ts';
import type { ClauseId } from './registry.ts';

/** Whether a document says anything that a clause is about. */
export function isSaid(document: Document, id: ClauseId): boolean {
  switch (id) {
    case 'limits.messages-subpaths':
      return isAt(document, 'messages', '/v1/messages');
    case 'limits.per-key':
      return scopesOf(document).some(
        (scope) => !areKeysCountedTogether(document, scope) && isBounded(document, scope),
      );
    case 'limits.per-scope':
      return (
        outermostOf(document).length > 1 && outermostOf(document).every((scope) => isBounded(document, scope))
      );
    case 'version.prefix':
      return Object.values(document.scopes).some(({ paths = [] }) =>
        paths.some((path) => path.startsWith('/v1/')),
      );
    case 'window.rolling':
    case 'window.length':
    case 'window.granularity':
    case 'limits.rejections-count':
      return scopesOf(document).some((scope) => isRollingIn(document, scope));
    case 'limits.per-second':
      return scopesOf(document).some((scope) => perSecondOf(document, scope) !== null);
    case 'error.status':
      return true;
    default:
      if (id.startsWith('load.')) return whyNoLoad(document, id) === null;
      return isSaidOfAnswers(document, id);
  }
}

/** Whether a limit is an upper bound: what exceeds one that is not shows nothing. */
function isBounded(document: Document, scope: string): boolean {
  return partsOf(document, scope).some(({ promise }) => promise.kind !== 'at-least');
}

/** Whether a rolling limit of this name has this path, by whatever method: another API may call something else so. */
function isAt(document: Document, scope: string, path: string): boolean {
  const { paths = [], methods } = document.scopes[scope] ?? {};
  return isRollingIn(document, scope) && paths.includes(path) && methods === undefined;
}

/** Whether a document says anything of the part of answers that a clause is about. */
function isSaidOfAnswers(document: Document, id: ClauseId): boolean {
  const { errors, keys } = document;
  if (id === 'auth.bearer') return keys !== 'none';
  if (id.startsWith('headers.'))
    return allHeadersOf(document).some((said) => isSaidOfHeaders(promisedHeaders(said), id));
  return !id.startsWith('error.') || errors !== 'none';
}

/** Whether a document promises the header that a clause is about, on the answers that the clause is about. */
function isSaidOfHeaders({ names, on }: PromisedHeaders, id: ClauseId): boolean {
  switch (id) {
    case 'headers.limit':
      return names.limit !== null;
    case 'headers.remaining':
      return names.remaining !== null && on.remaining !== 'limited';
    case 'headers.remaining-on-429':
      return names.remaining !== null && on.remaining !== 'admitted';
    case 'headers.reset':
    case 'headers.reset-meaning':
      return names.reset !== null;
    default:
      return Object.values(names).some((name) => name !== null);
  }
}
