import type { Document } from '../contract/document/document.ts';
import { isAtOrBelow, type Path, pathOf } from '../contract/document/paths.ts';

/** Paths at and below which this service has answers of its own. */
const ownRoots = ['/v1/status', '/v1/messages', '/v1/media'];

/** The other paths that a document names, those of its requests with them; each once. Where it names none at all, every path. */
export function plainPathsOf({ scopes }: Pick<Document, 'scopes'>): readonly Path[] {
  const named = Object.values(scopes).flatMap(({ paths = [], request, others = [] }) => [
    ...paths,
    ...[request, ...others.map((other) => other.request)].flatMap((one) =>
      one === undefined ? [] : [pathOf(one.path)],
    ),
  ]);
  if (named.length === 0) return ['/'];
  const others = named.filter((path) => !ownRoots.some((root) => isAtOrBelow(path, root)));
  return [...new Set(others)];
}

/**
 * A path as the router takes it, where a segment that begins with `:` may hold any text. Where a document leaves part of a segment
 * open, all of it is: what is counted is not asked here.
 */
export function routeOf(path: Path): string {
  const segments = path.replace(/\/$/, '').split('/');
  return segments
    .map((segment, at) => (/[{}]/.test(segment) ? `:${at}` : segment.replaceAll(':', '::')))
    .join('/');
}
