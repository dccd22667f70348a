import type { Credential } from '../../contract/exchange.ts';
import type { BodySpec, FileSpec, Parameters } from './parameters.ts';

/** What a request carries, in a form that names nothing of k6. */
export type Payload =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly file: FileSpec };

/** A request that is ready to be sent. `headers` holds the key: it is never written anywhere. */
export type PlannedRequest = {
  readonly index: number;
  readonly requestId: string;
  readonly purpose: string;
  readonly credential: Extract<Credential, 'valid' | 'absent'>;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Payload;
};

export type RequestInput = {
  readonly parameters: Parameters;
  /** Position among all requests of the scenario, from 0. */
  readonly index: number;
  readonly purpose: string;
  /** The API key; `null` sends none. */
  readonly key: string | null;
  /** Size of the file where the body is one; not given: the template's own. */
  readonly fileBytes?: number;
};

/** One request of the deployment's template, with what this project adds to each: key, run and request id. */
export function planRequest({ parameters, index, purpose, key, fileBytes }: RequestInput): PlannedRequest {
  const { request, runId, scenario, userAgent } = parameters;
  const requestId = `${runId}-${scenario}-${index}`;
  const payload = payloadOf(request.body, fileBytes);
  const own: Record<string, string> = { 'User-Agent': userAgent, 'X-Request-Id': requestId };
  if (key !== null) own['Authorization'] = `Bearer ${key}`;
  return {
    index,
    requestId,
    purpose,
    credential: key === null ? 'absent' : 'valid',
    method: request.method,
    url: joinUrl(parameters.baseUrl, request.path),
    headers: mergeHeaders(contentTypeOf(request.body), request.headers, own, payload.kind),
    payload,
  };
}

function joinUrl(baseUrl: string, path: string): string {
  return baseUrl.replace(/\/+$/, '') + path;
}

function payloadOf(body: BodySpec | undefined, fileBytes: number | undefined): Payload {
  if (body === undefined) return { kind: 'none' };
  if ('json' in body) return { kind: 'text', text: JSON.stringify(body.json) };
  if ('text' in body) return { kind: 'text', text: body.text };
  const file = fileBytes === undefined ? body.file : { ...body.file, bytes: fileBytes };
  return { kind: 'file', file };
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
  contentType: string | null,
  template: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
  payload: Payload['kind'],
): Readonly<Record<string, string>> {
  const merged: Record<string, string> = {};
  const taken = new Set<string>(payload === 'file' ? ['content-type'] : []);
  const add = ([name, value]: readonly [string, string]): void => {
    if (taken.has(name.toLowerCase())) return;
    taken.add(name.toLowerCase());
    merged[name] = value;
  };
  Object.entries(own).forEach(add);
  Object.entries(template).forEach(add);
  if (contentType !== null) add(['Content-Type', contentType]);
  return merged;
}
