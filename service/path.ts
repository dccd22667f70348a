import type { Scope } from '../contract/scopes.ts';

/** A path as routes match it: decoded, without origin, query and fragment. */
export type Path = string;

/**
 * The path of a request target, spelt as the router reads it. If `/v1/%6Dessages` were counted as another path than it
 * is routed to, anybody could avoid a limit.
 */
export function pathOf(target: string): Path {
  const withoutOrigin = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = withoutOrigin.search(/[?#]/);
  const path = end === -1 ? withoutOrigin : withoutOrigin.slice(0, end);
  return path.includes('%') ? decoded(path) : path;
}

/** Section "Limits": `/v1/messages` and any path below it; media uploads; all other routes are standard. */
export function scopeOf(path: Path): Scope {
  if (isAtOrBelow(path, '/v1/messages')) return 'messages';
  if (isAtOrBelow(path, '/v1/media')) return 'media';
  return 'standard';
}

function isAtOrBelow(path: Path, root: Path): boolean {
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
