import { isSecretName } from '../../contract/secret/secret-names.ts';
import { keyWaysOf, listOf, type Node, nodeOf, type OpenApi, type Operation } from './openapi.ts';

/**
 * A request for an operation that changes nothing, with its required parameters but for its key as the file has them in
 * examples; `null` where it changes something, or a required parameter has no example.
 */
export function exampleRequest(
  api: OpenApi,
  operation: Operation,
): { readonly method: string; readonly path: string } | null {
  const { resolved } = api;
  const { path, method, node, item } = operation;
  if (method !== 'get' && method !== 'head') return null;
  const parameters = [...listOf(node['parameters']), ...listOf(item['parameters'])].map(resolved);
  const required = parameters.filter((one) => one['required'] === true || one['in'] === 'path');
  const keys = keyWaysOf(api, operation).flatMap((way) => (way.kind === 'query' ? [way.name] : []));
  let filled = path;
  const query: string[] = [];
  for (const parameter of required) {
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
  return { method: method.toUpperCase(), path: `${filled.replace(/[?#].*$/, '')}${asked}` };
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
