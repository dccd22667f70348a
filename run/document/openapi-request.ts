import { isOwnHeader, isSameHeader } from '../../contract/header-name.ts';
import { isSecretName } from '../../contract/secret/secret-names.ts';
import {
  type KeyWay,
  keyWaysOf,
  listOf,
  type Node,
  neededParameters,
  nodeOf,
  type OpenApi,
  type Operation,
} from './openapi.ts';

export type ExampleRequest = {
  readonly asked: { readonly method: string; readonly path: string };
  /** Headers that it needs beside that of its key, each once. */
  readonly headers: readonly string[];
};

/** Parameters of these names say nothing (OpenAPI 3, Parameter Object). */
const passedOver = ['Accept', 'Content-Type', 'Authorization'];

/**
 * A request for an operation that changes nothing, with its required parameters but for its key as the file has them in
 * examples; `null` where it changes something, or a required parameter has no example.
 */
export function exampleRequest(api: OpenApi, operation: Operation): ExampleRequest | null {
  const { resolved } = api;
  const { path, method } = operation;
  if (method !== 'get' && method !== 'head') return null;
  const required = neededParameters(api, operation);
  const ways = keyWaysOf(api, operation);
  const keys = ways.flatMap((way) => (way.kind === 'query' ? [way.name] : []));
  const headers = headersOf(required, ways);
  if (headers === null) return null;
  let filled = path;
  const query: string[] = [];
  for (const parameter of required.filter((one) => one['in'] !== 'header')) {
    const name = String(parameter['name'] ?? '');
    if (parameter['in'] === 'query' && keys.includes(name)) continue;
    const value = exampleOf(parameter, resolved);
    if (isSecretName(name) || value === null) return null;
    switch (parameter['in']) {
      case 'path':
        filled = filled.replaceAll(`{${name}}`, encodeURIComponent(value));
        break;
      case 'query':
        if (!query.some((one) => one.startsWith(`${encodeURIComponent(name)}=`)))
          query.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
        break;
      default:
        return null;
    }
  }
  if (/[{}\s]/.test(filled) || !filled.startsWith('/')) return null;
  const asked = query.length === 0 ? '' : `?${query.join('&')}`;
  return {
    asked: { method: method.toUpperCase(), path: `${filled.replace(/[?#].*$/, '')}${asked}` },
    headers,
  };
}

/** The first request that one of these operations has; `null` where none has one. */
export function requestAmong(api: OpenApi, operations: readonly Operation[]): ExampleRequest | null {
  for (const operation of operations) {
    const request = exampleRequest(api, operation);
    if (request !== null) return request;
  }
  return null;
}

/** The headers among required parameters but for that of a key; `null` where one has a name that no command could hold. */
function headersOf(required: readonly Node[], ways: readonly KeyWay[]): readonly string[] | null {
  const known = ways.flatMap((way) => (way.kind === 'header' ? [way.name] : []));
  const headers: string[] = [];
  for (const parameter of required.filter((one) => one['in'] === 'header')) {
    const name = String(parameter['name'] ?? '');
    if (!/^[\w-]+$/.test(name)) return null;
    const isKnown = [...passedOver, ...known, ...headers].some((one) => isSameHeader(one, name));
    if (!isKnown && !isOwnHeader(name)) headers.push(name);
  }
  return headers;
}

/** A value that the file itself names for a parameter; `null` where it names none. */
function exampleOf(parameter: Node, resolved: (value: unknown) => Node): string | null {
  const schema = resolved(parameter['schema']);
  const [named] = Object.values(nodeOf(parameter['examples'])).map((one) => resolved(one)['value']);
  const all = [
    ...[parameter['example'], named, schema['example'], listOf(schema['examples'])[0], schema['default']],
    ...[
      listOf(schema['enum'])[0],
      parameter['default'],
      listOf(parameter['enum'])[0],
      parameter['x-example'],
    ],
  ];
  const value = all.find((one) => /^(string|number|boolean)$/.test(typeof one) && one !== '');
  return value === undefined ? null : String(value);
}
