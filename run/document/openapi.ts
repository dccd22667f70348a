import { isJsonObject } from '../../contract/json-object.ts';
import { isSecretName, isSecretParameter } from '../../contract/secret/secret-names.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { type Gathered, unescaped } from './openapi-files.ts';

/** What a description of an API is made of, as far as somebody else’s file can be trusted: anything may stand anywhere. */
export type Node = Readonly<Record<string, unknown>>;

/** One operation: what is asked by one method at one path. */
export type Operation = {
  /** As the file writes it, with its parameters in braces. */
  readonly path: string;
  readonly method: string;
  readonly node: Node;
  /** The path’s own part, which all its operations share. */
  readonly item: Node;
};

/** A description of an API by OpenAPI 3 or Swagger 2. */
export type OpenApi = {
  readonly root: Node;
  /** "OpenAPI 3.1.0", "Swagger 2.0". */
  readonly version: string;
  readonly operations: readonly Operation[];
  /** What stands behind a `$ref`, where it was read; else the node as it is. */
  readonly resolved: (value: unknown) => Node;
} & Pick<Gathered, 'others' | 'unread'>;

const methods = ['get', 'head', 'post', 'put', 'patch', 'delete'];

/**
 * The description of an API in a file, which messages call `named`, and in those that it refers to.
 * @throws {UsageError} where it is another kind of description.
 */
export function openApiOf({ whole, others, unread }: Gathered, named: string): OpenApi {
  const root = nodeOf(whole);
  const said = root['openapi'] ?? root['swagger'];
  const [, major] = /^(\d)(?:\.|$)/.exec(String(said ?? '')) ?? [];
  if (major !== '2' && major !== '3') {
    throw new UsageError(
      `${named} is no description by OpenAPI 3 or Swagger 2: it has no field openapi or swagger that says so.`,
    );
  }
  const resolved = (value: unknown): Node => behind(root, value);
  const operations = Object.entries(resolved(root['paths'])).flatMap(([path, value]) => {
    const item = resolved(value);
    return methods.flatMap((method) =>
      item[method] === undefined ? [] : [{ path, method, node: resolved(item[method]), item }],
    );
  });
  const version = `${root['openapi'] === undefined ? 'Swagger' : 'OpenAPI'} ${String(said)}`;
  return { root, version, operations, resolved, others, unread };
}

/** An object as it is; anything else as an empty one. */
export function nodeOf(value: unknown): Node {
  return isJsonObject(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** References lead to references; no file needs more, and some lead in a circle. */
const hopsMax = 20;

function behind(root: Node, value: unknown, hops = hopsMax): Node {
  const node = nodeOf(value);
  const ref = node['$ref'];
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return node;
  return hops === 0 ? {} : behind(root, atPointer(root, ref.slice(2), hops - 1), hops - 1);
}

/** On the way, too, references may stand. */
function atPointer(root: Node, pointer: string, hops: number): unknown {
  let at: unknown = root;
  for (const part of pointer.split('/')) {
    const name = unescaped(part).replaceAll('~1', '/').replaceAll('~0', '~');
    const holder: Node = Array.isArray(at) ? { ...at } : behind(root, at, hops);
    at = Object.hasOwn(holder, name) ? holder[name] : undefined;
  }
  return at;
}

/** The base URL of the first server, its variables as by default; `null` where no whole address is said. */
export function baseUrlOf({ root }: OpenApi): string | null {
  const [server] = listOf(root['servers']).map(nodeOf);
  const variables = nodeOf(server?.['variables']);
  const url =
    server === undefined
      ? swaggerUrl(root)
      : String(server['url'] ?? '').replaceAll(/\{([^}]+)\}/g, (whole, name: string) => {
          const value = nodeOf(variables[name])['default'];
          return typeof value === 'string' ? value : whole;
        });
  if (url === null || !URL.canParse(url) || url.includes('{')) return null;
  const { protocol, origin, pathname } = new URL(url);
  // It is shown as part of a command that people copy.
  const isPlain = /^https?:$/.test(protocol) && /^[\w./~%-]*$/.test(pathname);
  return isPlain ? `${origin}${pathname.replace(/\/$/, '')}` : null;
}

function swaggerUrl({ host, basePath = '', schemes }: Node): string | null {
  const all = listOf(schemes);
  const scheme = all.includes('https') || all.length === 0 ? 'https' : String(all[0]);
  return typeof host === 'string' ? `${scheme}://${host}${String(basePath)}` : null;
}

/** How keys are sent. */
export type KeyWay =
  | { readonly kind: 'bearer' | 'basic' }
  | { readonly kind: 'query' | 'other'; readonly name: string }
  | { readonly kind: 'header'; readonly name: string; readonly description: string };

/** The parameters that a request of an operation needs. */
export function neededParameters({ resolved }: OpenApi, { node, item }: Operation): readonly Node[] {
  const all = [...listOf(node['parameters']), ...listOf(item['parameters'])].map(resolved);
  return all.filter((one) => one['required'] === true || one['in'] === 'path');
}

/**
 * How the keys of an operation are sent, the first way of each; none where nothing is said, or no key is needed. Where the file
 * says nothing of security, a header with the name of a secret is one, or else a parameter of the query.
 */
export function keyWaysOf(api: OpenApi, operation: Operation | undefined): readonly KeyWay[] {
  const { root, resolved } = api;
  const security = operation?.node['security'] ?? root['security'];
  if (security === undefined && operation !== undefined) return keysNamedSo(api, operation);
  const schemes = {
    ...resolved(root['securityDefinitions']),
    ...resolved(resolved(root['components'])['securitySchemes']),
  };
  const wanted = listOf(security).map(nodeOf);
  const names = wanted.flatMap((one) => Object.keys(one));
  // Without a key is one of the ways.
  if (wanted.some((one) => Object.keys(one).length === 0)) return [];
  return names.flatMap((name) => wayOf(resolved(schemes[name])) ?? []);
}

function keysNamedSo(api: OpenApi, operation: Operation): readonly KeyWay[] {
  const needed = neededParameters(api, operation).map(({ in: where, name, description }) => ({
    where,
    name: String(name ?? ''),
    description: String(description ?? ''),
  }));
  const header = needed.find(({ where, name }) => where === 'header' && isSecretName(name));
  if (header !== undefined) return [{ ...header, kind: 'header' }];
  const parameter = needed.find(({ where, name }) => where === 'query' && isSecretParameter(name));
  return parameter === undefined ? [] : [{ kind: 'query', name: parameter.name }];
}

/** What a security scheme says; `null` where it says nothing. */
function wayOf({ type: said, scheme, in: where, name, description }: Node): KeyWay | null {
  const [type, way] = [String(said ?? ''), String(scheme ?? '').toLowerCase()];
  if ((type === 'http' && way === 'bearer') || type === 'oauth2' || type === 'openIdConnect')
    return { kind: 'bearer' };
  if (type === 'basic' || (type === 'http' && way === 'basic')) return { kind: 'basic' };
  if (type === 'apiKey' && where === 'query') return { kind: where, name: String(name ?? '') };
  if (type === 'apiKey' && where === 'header')
    return { kind: where, name: String(name ?? ''), description: String(description ?? '') };
  return type === '' ? null : { kind: 'other', name: `${type} ${way || String(where ?? '')}`.trim() };
}
