import type { Scope } from '../scopes.ts';
import { type Document, restOf } from './document.ts';

/** A path as routes match it: decoded, without origin, query and fragment. */
export type Path = string;

/**
 * The path of a request target, spelt as the router reads it. If `/v1/%6Dessages` were counted as another path than it
 * is routed to, anybody could avoid a limit.
 */
export function pathOf(target: string): Path {
  const withoutOrigin = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const path = upTo(upTo(withoutOrigin, '#'), '?');
  return path.includes('%') ? decoded(path) : path;
}

function upTo(text: string, end: string): string {
  const at = text.indexOf(end);
  return at === -1 ? text : text.slice(0, at);
}

/**
 * Which scope a path belongs to by a document: that of the longest of its paths which it is at or below; else the scope
 * that names no path, or the first where each of them names some.
 */
export function scopesByPath({ scopes }: Pick<Document, 'scopes'>): (path: Path) => Scope {
  const roots = Object.entries(scopes).flatMap(([scope, { paths = [] }]) =>
    paths.map((root) => ({ scope, root })),
  );
  const longestFirst = roots.toSorted((one, other) => other.root.length - one.root.length);
  const rest = restOf({ scopes });
  const scopeOf = (path: Path): Scope =>
    longestFirst.find(({ root }) => isAtOrBelow(path, root))?.scope ?? rest;
  let last = { path: '', scope: scopeOf('') };
  return (path) => {
    // Many requests are for the path of the one before.
    if (path !== last.path) last = { path, scope: scopeOf(path) };
    return last.scope;
  };
}

/** Whether a path is another one or lies below it. */
export function isAtOrBelow(path: Path, root: Path): boolean {
  return path.startsWith(root) && (path.length === root.length || path[root.length] === '/');
}

function decoded(path: string): Path {
  try {
    return decodeURI(path);
  } catch {
    // Not decodable: no route matches it, so it is counted as it stands.
    return path;
  }
}
