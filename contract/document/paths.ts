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
