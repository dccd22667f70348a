import type { Credential } from '../../contract/exchange.ts';
import type { Scope } from '../../contract/scopes.ts';
import type { BodySpec, FileSpec, Parameters, RequestSpec } from './parameters.ts';

/** What a request carries, in a form that names nothing of k6. */
export type Payload =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly file: FileSpec };

/** An API key and what traces call it. */
export type LoadKey = { readonly alias: string; readonly secret: string };

/** A request that is ready to be sent. `headers` holds the key: it is never written anywhere. */
export type PlannedRequest = {
  readonly index: number;
  readonly requestId: string;
  readonly purpose: string;
  readonly scope: Scope;
  readonly key: LoadKey;
  readonly credential: Extract<Credential, 'valid' | 'absent'>;
  readonly node: number;
  readonly method: string;
  readonly path: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly payload: Payload;
};

export type RequestInput = {
  readonly scope: Scope;
  /** Position among all requests of the scenario, from 0. */
  readonly index: number;
  readonly purpose: string;
  readonly key: LoadKey;
  /** `absent` sends no key. */
  readonly credential: PlannedRequest['credential'];
  /** Position of the base URL that it goes to. */
  readonly node: number;
  /** Size of the file where the body is one; not given: the template's own. */
  readonly fileBytes?: number | undefined;
};

export type RequestPlanner = (input: RequestInput) => PlannedRequest;

/**
 * Makes requests of the deployment's templates, with what this project adds to each: key, run and request id. What is
 * the same for all requests of a scope is worked out once: the interpreter of k6 is slow.
 * @throws where the settings have no request for a scope that is planned, or no such node.
 */
export function requestPlanner(parameters: Parameters, runId: string): RequestPlanner {
  const { requests, baseUrls, userAgent, scenario } = parameters;
  const templates: Partial<Record<Scope, Template>> = {};
  const templateOf = (scope: Scope): Template => {
    const known = templates[scope];
    if (known !== undefined) return known;
    const spec = requests[scope];
    if (spec === undefined) throw new Error(`the settings have no request for ${scope}`);
    const template = makeTemplate(spec, { userAgent, baseUrls });
    templates[scope] = template;
    return template;
  };
  return ({ scope, index, purpose, key, credential, node, fileBytes }) => {
    const { spec, headers, urls, payload } = templateOf(scope);
    const url = urls[node];
    if (url === undefined) throw new Error(`the settings have no base URL number ${node + 1}`);
    const requestId = `${runId}-${scenario}-${index}`;
    const own: Record<string, string> = { ...headers, 'X-Request-Id': requestId };
    if (credential === 'valid') own['Authorization'] = `Bearer ${key.secret}`;
    return {
      index,
      requestId,
      purpose,
      scope,
      key,
      credential,
      node,
      method: spec.method,
      path: spec.path,
      url,
      headers: own,
      payload: sized(payload, fileBytes),
    };
  };
}

type Template = {
  readonly spec: RequestSpec;
  readonly headers: Readonly<Record<string, string>>;
  /** One for each node. */
  readonly urls: readonly string[];
  readonly payload: Payload;
};

function makeTemplate(spec: RequestSpec, given: Pick<Parameters, 'userAgent' | 'baseUrls'>): Template {
  const payload = payloadOf(spec.body);
  return {
    spec,
    headers: mergeHeaders(spec, given.userAgent, payload.kind),
    urls: given.baseUrls.map((baseUrl) => withoutSlashes(baseUrl) + spec.path),
    payload,
  };
}

function withoutSlashes(baseUrl: string): string {
  return baseUrl.endsWith('/') ? withoutSlashes(baseUrl.slice(0, -1)) : baseUrl;
}

function payloadOf(body: BodySpec | undefined): Payload {
  if (body === undefined) return { kind: 'none' };
  if ('json' in body) return { kind: 'text', text: JSON.stringify(body.json) };
  if ('text' in body) return { kind: 'text', text: body.text };
  return { kind: 'file', file: body.file };
}

function sized(payload: Payload, fileBytes: number | undefined): Payload {
  if (payload.kind !== 'file' || fileBytes === undefined) return payload;
  return { kind: 'file', file: { ...payload.file, bytes: fileBytes } };
}

function contentTypeOf(body: BodySpec | undefined): string | null {
  if (body === undefined || 'file' in body) return null;
  return 'json' in body ? 'application/json' : body.contentType;
}

/**
 * Header names are compared without case: the template overrides the body's content type, and our own override
 * the template. A multipart body takes its content type from k6 alone, which knows the boundary.
 */
function mergeHeaders(
  spec: RequestSpec,
  userAgent: string,
  payload: Payload['kind'],
): Readonly<Record<string, string>> {
  const merged: Record<string, string> = { 'User-Agent': userAgent };
  const taken = ['user-agent', 'x-request-id', 'authorization'];
  if (payload === 'file') taken.push('content-type');
  const add = ([name, value]: readonly [string, string]): void => {
    if (taken.includes(name.toLowerCase())) return;
    taken.push(name.toLowerCase());
    merged[name] = value;
  };
  Object.entries(spec.headers).forEach(add);
  const contentType = contentTypeOf(spec.body);
  if (contentType !== null) add(['Content-Type', contentType]);
  return merged;
}
