import type { RequestTemplate } from '../../contract/request-template.ts';

/** The requests of the reference service, which `conformance serve` starts. */
const reference = {
  standard: { path: '/v1/status' },
  messages: {
    method: 'POST',
    path: '/v1/messages',
    body: { json: { recipient: '491701234567', type: 'text', body: 'conformance probe' } },
  },
  media: { method: 'POST', path: '/v1/media', body: { file: { filename: 'probe.bin', bytes: 64 } } },
};

const scopes = ['standard', 'messages', 'media'];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** What stands in a request and in its parts, as the settings of a deployment have it. */
const fields = {
  request: ['method', 'path', 'headers', 'body'],
  body: ['json', 'text', 'contentType', 'file'],
};

/**
 * The request that stands for each scope: `reference`, JSON, or the path of a file with JSON. The one for `standard` is the
 * document's where it is left out. Checked by hand, since k6 has no zod: each script holds this.
 * @throws with what is wrong, and an example.
 */
export function requestsFrom(
  text: string | undefined,
  readFile: (path: string) => string,
): Readonly<Record<string, RequestTemplate>> {
  if (text === undefined || text === '') return { standard: checked('standard', reference.standard) };
  const given = text === 'reference' ? reference : parsed(text.startsWith('{') ? text : readFile(text));
  const templates = Object.entries(given).map(([scope, one]) => {
    if (!scopes.includes(scope)) fail(`${scope} is none of ${scopes.join(', ')}`);
    return [scope, checked(scope, one)];
  });
  return { standard: checked('standard', reference.standard), ...Object.fromEntries(templates) };
}

function parsed(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    fail('it is not JSON');
  }
  return objectIn(value, 'it');
}

function checked(scope: string, value: unknown): RequestTemplate {
  const given = objectIn(value, scope) as Readonly<Record<string, unknown>>;
  const { method = 'GET', path, headers = {}, body } = given;
  known(scope, given, fields.request);
  if (typeof path !== 'string' || !/^\/\S*$/.test(path)) fail(`${scope}.path has to begin with "/"`);
  if (typeof method !== 'string' || !methods.includes(method))
    fail(`${scope}.method has to be one of ${methods.join(', ')}`);
  for (const [name, header] of Object.entries(objectIn(headers, `${scope}.headers`))) {
    if (typeof header !== 'string') fail(`${scope}.headers.${name} has to be a text`);
    if (/^(authorization|cookie)$/i.test(name))
      fail(`${scope}.headers.${name} must not stand there: API_KEY holds the key`);
  }
  const own = body === undefined ? {} : { body: checkedBody(scope, body) };
  return { method, path, headers, ...own } as RequestTemplate;
}

function checkedBody(scope: string, value: unknown): RequestTemplate['body'] {
  const body = objectIn(value, `${scope}.body`) as Readonly<Record<string, unknown>>;
  known(`${scope}.body`, body, fields.body);
  if ('json' in body) return { json: body['json'] } as RequestTemplate['body'];
  if (typeof body['text'] === 'string' && typeof body['contentType'] === 'string')
    return { text: body['text'], contentType: body['contentType'] };
  if (!('file' in body)) fail(`${scope}.body has to have json, text with contentType, or file`);
  const usual = { field: 'file', filename: 'probe.bin', contentType: 'application/octet-stream', bytes: 64 };
  const file = { ...usual, ...objectIn(body['file'], `${scope}.body.file`) };
  known(`${scope}.body.file`, file, Object.keys(usual));
  const { bytes } = file;
  if (!Number.isInteger(bytes) || bytes < 1 || bytes > 1_048_576)
    fail(`${scope}.body.file.bytes has to be a whole number from 1 to 1048576`);
  return { file };
}

function known(name: string, value: object, names: readonly string[]): void {
  const strange = Object.keys(value).find((field) => !names.includes(field));
  if (strange !== undefined) fail(`${name}.${strange} is none of ${names.join(', ')}`);
}

function objectIn(value: unknown, name: string): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(`${name} is no object`);
  return value as object;
}

function fail(why: string): never {
  throw new Error(
    `REQUESTS cannot be used: ${why}. It is a file or a text such as {"messages":{"method":"POST","path":"/v1/messages","body":{"json":{"to":"1"}}}}`,
  );
}
