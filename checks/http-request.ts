import { randomUUID } from 'node:crypto';
import { type Dispatcher, FormData } from 'undici';
import type { Deployment } from '../contract/deployment.ts';
import { unknownKeyIn } from '../contract/document/basic-keys.ts';
import { type KeyHeader, keyHeaderOf } from '../contract/document/key-header.ts';
import type { RequestTemplate } from '../contract/request-template.ts';
import { templateOf } from './probe-template.ts';
import type { ProbeRequest } from './steps.ts';

export type ProbeKey = {
  readonly alias: string;
  readonly secret: string;
  /** The whole `Authorization`; `null` for none. Left out: the secret in the header that the document names. */
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

/**
 * A request of a schedule as undici sends it, with a body of its own, since a form can be read once.
 * @throws where the deployment has no such request, or there is no such key.
 */
export function httpRequest(
  request: ProbeRequest,
  { deployment, keys, userAgent, requestId, prefix, isAnnounced }: HttpRequestOptions,
): Dispatcher.DispatchOptions {
  const template = templateOf(deployment, request);
  const { headers, body } = contentOf(template);
  return {
    path: `${prefix}${template.path}`,
    method: template.method,
    headers: {
      'user-agent': userAgent,
      accept: 'application/json',
      ...headers,
      'x-request-id': requestId,
      ...credentials(request, { header: keyHeaderOf(deployment.document), keys, isAnnounced }),
    },
    body,
    idempotent: false,
  };
}

type Carrying = Pick<HttpRequestOptions, 'keys' | 'isAnnounced'> & { readonly header: KeyHeader };

function credentials(
  { credential, key }: ProbeRequest,
  { header, keys, isAnnounced }: Carrying,
): Readonly<Record<string, string>> {
  const { name, before } = header;
  switch (credential) {
    case 'valid': {
      const found = keys.find(({ alias }) => alias === key);
      if (found === undefined) throw new Error(`no key with the alias ${key}`);
      return keyed(found, header);
    }
    case 'absent':
      return {};
    case 'malformed':
      return { [name]: before.trimEnd() };
    case 'unknown':
      return {
        [name]: `${before}${unknownKeyIn(header, `${isAnnounced ? 'unknown-' : ''}${randomUUID()}`)}`,
      };
    default:
      return credential satisfies never;
  }
}

function keyed(
  { secret, authorization }: ProbeKey,
  { name, before }: KeyHeader,
): Readonly<Record<string, string>> {
  if (authorization === undefined) return { [name]: `${before}${secret}` };
  return authorization === null ? {} : { authorization };
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
