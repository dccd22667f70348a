import { type FurtherLimit, furtherLimitSchema, furtherMax } from '../../contract/document/further-limit.ts';
import type { DraftField, DraftScope } from './draft.ts';
import type { OpenApi, Operation } from './openapi.ts';
import { bounded, type Figure, limitsBeside } from './openapi-figures.ts';
import type { OwnLimit } from './openapi-own-limits.ts';
import { requestAmong } from './openapi-request.ts';

/** What the scope of all other paths is called. */
export const restName = 'rest';

/** Scopes of limits that some operations have. */
export function ownScopes(api: OpenApi, own: readonly OwnLimit[]): readonly DraftScope[] {
  const names = namesOf(own);
  return own.map((limit, at) => ownScope(api, limit, names[at] as string));
}

function ownScope(api: OpenApi, { path, methods, figures, operations }: OwnLimit, name: string): DraftScope {
  const request = requestAmong(api, operations)?.asked;
  const [method = 'GET'] = methods ?? [];
  return {
    name,
    fields: [
      { name: 'title', value: titleOf({ path, methods }).slice(0, 80) },
      ...limitFields(figures, { ofWindow: true }),
      promiseField,
      ...(methods === null ? [] : [{ name: 'methods', value: methods }]),
      { name: 'paths', value: [path] },
      requestField(request, { method, path }),
    ],
  };
}

function titleOf({ path, methods }: Pick<OwnLimit, 'path' | 'methods'>): string {
  return methods === null ? path : `${methods.join(', ')} ${path}`;
}

/** Names of scopes, no two alike. */
function namesOf(own: readonly OwnLimit[]): readonly string[] {
  const names: string[] = [restName];
  for (const limit of own) {
    const name = nameOf(titleOf(limit));
    names.push(names.includes(name) ? `${name.slice(0, 37)}-${names.length}` : name);
  }
  return names.slice(1);
}

type RestInput = {
  /** What the file says of all requests. */
  readonly figures: readonly Figure[];
  readonly operation: Operation | undefined;
};

/** The limit of all requests that no other scope has. */
export function restScope(api: OpenApi, { figures, operation }: RestInput): DraftScope {
  const request = operation === undefined ? undefined : requestAmong(api, [operation])?.asked;
  return {
    name: restName,
    fields: [
      { name: 'title', value: 'all routes' },
      ...limitFields(figures, { ofWindow: false }),
      promiseField,
      requestField(request, { method: 'GET', path: '/' }),
    ],
  };
}

/** How many pass, by which limits; `ofWindow`: in which window, where that is not the document's. */
function limitFields(
  figures: readonly Figure[],
  { ofWindow }: { readonly ofWindow: boolean },
): readonly DraftField[] {
  const limits = limitsBeside(figures);
  if (limits === null)
    return [{ name: 'limit', value: null, todo: 'the file does not say how many requests pass: fill it in' }];
  const { figure, further, others } = limits;
  const { limit, seconds, from, isProse } = figure;
  const named = others
    .slice(0, 5)
    .map((one) => `Also named: ${one.limit} in ${one.seconds ?? '?'} s (${one.from}).`);
  const todo = isProse ? 'read from a sentence: does it speak of this limit?' : undefined;
  const also = further.flatMap((one): readonly FurtherLimit[] => {
    const read = furtherLimitSchema.safeParse({ limit: one.limit, windowSeconds: one.seconds });
    return read.success ? [read.data] : [];
  });
  return [
    { name: 'limit', value: limit, said: [`As in ${from}.`, ...named], todo },
    ...(ofWindow && seconds !== null ? [{ name: 'windowSeconds', value: bounded(seconds) }] : []),
    ...(also.length === 0 ? [] : [{ name: 'also', value: also.slice(0, furtherMax) }]),
  ];
}

const promiseField: DraftField = {
  name: 'promise',
  value: 'unsaid',
  todo: 'the file does not say what kind of limit it is: unsaid accepts any',
};

type Asked = { readonly method: string; readonly path: string };

/** The request of a scope; one that nobody can send as it is where the file has none. */
function requestField(request: Asked | undefined, like: Asked): DraftField {
  if (request !== undefined) return { name: 'request', value: request };
  const isReading = like.method === 'GET' || like.method === 'HEAD';
  const why = isReading
    ? 'no GET was found whose required parameters have examples'
    : `none is made up by ${like.method}, which may change something`;
  return { name: '# request', value: like, todo: `${why}: name a request that is answered 2xx` };
}

function nameOf(path: string): string {
  const words = path.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return (
    words
      .replace(/^[^a-z]+/, '')
      .slice(0, 40)
      .replace(/-+$/, '') || 'path'
  );
}
