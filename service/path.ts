import type { Document } from '../contract/document/document.ts';
import { isAtOrBelow, type Path, pathOf } from '../contract/document/paths.ts';

/** Paths at and below which this service has answers of its own. */
const ownRoots = ['/v1/status', '/v1/messages', '/v1/media'];

/** The other paths that a document names, those of its requests with them; each once. */
export function plainPathsOf({ scopes }: Pick<Document, 'scopes'>): readonly Path[] {
  const named = Object.values(scopes).flatMap(({ paths = [], request, others = [] }) => [
    ...paths,
    ...[request, ...others.map((other) => other.request)].flatMap((one) =>
      one === undefined ? [] : [pathOf(one.path)],
    ),
  ]);
  const others = named.filter((path) => !ownRoots.some((root) => isAtOrBelow(path, root)));
  return [...new Set(others)];
}
