import { randomUUID } from 'node:crypto';
import { type Dispatcher, FormData } from 'undici';
import type { Deployment } from '../contract/deployment.ts';
import { unknownKeyIn } from '../contract/document/basic-keys.ts';
import { carriesKeys } from '../contract/document/counted-by.ts';
import { type KeyPlace, keyPlaceOf, withParameter } from '../contract/document/key-place.ts';
import type { RequestTemplate } from '../contract/request-template.ts';
import { templateOf } from './probe-template.ts';
import type { ProbeRequest } from './steps.ts';

export type ProbeKey = {
  readonly alias: string;
  readonly secret: string;
  /** The whole `Authorization`; `null` for none. Left out: the secret where the document has its keys. */
  readonly authorization?: string | null;
};

/** What a request needs besides the schedule: where it goes, whose key it carries, and its id. */
export type HttpRequestOptions = {
  readonly deployment: Deployment;
  readonly keys: readonly ProbeKey[];
  readonly userAgent: string;
  readonly requestId: string;
  /** Path of the base URL, without a slash at its end. */
  readonly prefix: string;
  /** Whether a key that nobody has may say so. */
  readonly isAnnounced: boolean;
};

/** A request as undici sends it, and its path as it may be told, without a key. */
export type HttpRequest = { readonly dispatch: Dispatcher.DispatchOptions; readonly path: string };

/**
 * A request of a schedule, with a body of its own, since a form can be read once.
 * @throws where the deployment has no such request, or there is no such key.
 */
export function httpRequest(
  request: ProbeRequest,
  { deployment, keys, userAgent, requestId, prefix, isAnnounced }: HttpRequestOptions,
): HttpRequest {
  const template = templateOf(deployment, request);
  const { headers, body } = contentOf(template);
  const path = `${prefix}${template.path}`;
  const { document } = deployment;
  const credentials = carriesKeys(document, request.scope)
    ? credentialsOf(request, { place: keyPlaceOf(document), keys, isAnnounced })
    : nothing;
  const dispatch: Dispatcher.DispatchOptions = {
    path: credentials.parameter === null ? path : withParameter(path, ...credentials.parameter),
    method: template.method,
    headers: {
      'user-agent': userAgent,
      accept: 'application/json',
      ...headers,
      'x-request-id': requestId,
      ...credentials.headers,
    },
    body,
    idempotent: false,
  };
  return { dispatch, path };
}

type Carrying = Pick<HttpRequestOptions, 'keys' | 'isAnnounced'> & { readonly place: KeyPlace };

/** What of a request carries a key: headers, or a parameter of its query. */
type Credentials = {
  readonly headers: Readonly<Record<string, string>>;
  readonly parameter: readonly [name: string, value: string] | null;
};

const nothing: Credentials = { headers: {}, parameter: null };

function credentialsOf(
  { credential, key }: ProbeRequest,
  { place, keys, isAnnounced }: Carrying,
): Credentials {
  switch (credential) {
    case 'valid': {
      const found = keys.find(({ alias }) => alias === key);
      if (found === undefined) throw new Error(`no key with the alias ${key}`);
      const { secret, authorization } = found;
      if (authorization === undefined) return carrying(place, secret);
      return authorization === null ? nothing : { headers: { authorization }, parameter: null };
    }
    case 'absent':
      return nothing;
    case 'malformed':
      return carrying(place, '');
    case 'unknown':
      return carrying(place, unknownKeyIn(place, `${isAnnounced ? 'unknown-' : ''}${randomUUID()}`));
    default:
      return credential satisfies never;
  }
}

function carrying(place: KeyPlace, key: string): Credentials {
  if (place.in === 'query') return { headers: {}, parameter: [place.name, key] };
  return { headers: { [place.name]: `${place.before}${key}`.trimEnd() }, parameter: null };
}

type Content = {
  readonly headers: Readonly<Record<string, string>>;
  /** undici gives a form its own content type, with the boundary. */
  readonly body: string | FormData | null;
};

function contentOf({ headers, body }: RequestTemplate): Content {
  if (body === undefined) return { headers, body: null };
  if ('json' in body) {
    return { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body.json) };
  }
  if ('text' in body) return { headers: { 'content-type': body.contentType, ...headers }, body: body.text };
  const { field, filename, contentType, bytes } = body.file;
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(bytes).fill(0x2e)], { type: contentType }), filename);
  return { headers, body: form };
}
