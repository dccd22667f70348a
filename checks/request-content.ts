import { FormData } from 'undici';
import type { RequestTemplate } from '../contract/deployment.ts';

export type Content = {
  readonly headers: Readonly<Record<string, string>>;
  /** undici gives a form its own content type, with the boundary. */
  readonly body: string | FormData | null;
};

/** The headers and body of a deployment's request; a new body at each call, since a form can be read once. */
export function contentOf({ headers, body }: RequestTemplate): Content {
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
