import { randomUUID } from 'node:crypto';
import type { Scope } from '../../contract/scopes.ts';
import { referenceRequests } from '../../service/profile.ts';
import type { Job } from './peer.ts';

export type JobsSettings = {
  readonly url: string;
  readonly secret: string;
  readonly scope: Scope;
  readonly method: Job['method'];
  readonly count: number;
};

const boundary = 'part-of-an-upload';

/** So many requests of one scope, each with an Idempotency-Key of its own. */
export function makeJobs({ url, secret, scope, method, count }: JobsSettings): readonly Job[] {
  const { path, body, contentType } = contentOf(scope, method);
  return Array.from({ length: count }, () => ({
    url: `${url}${path}`,
    method: body === null ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'idempotency-key': randomUUID(),
      ...(contentType === null ? {} : { 'content-type': contentType }),
    },
    body,
  }));
}

type Content = { readonly path: string; readonly body: string | null; readonly contentType: string | null };

function contentOf(scope: Scope, method: Job['method']): Content {
  const { standard, messages, messagesSubpath, media } = referenceRequests;
  switch (scope) {
    case 'standard':
      return { path: standard.path, body: null, contentType: null };
    case 'messages':
      if (method === 'GET') return { path: messagesSubpath.path, body: null, contentType: null };
      return {
        path: messages.path,
        body: JSON.stringify(messages.body.json),
        contentType: 'application/json',
      };
    case 'media':
      return {
        path: media.path,
        body: upload(media.body.file.filename, media.body.file.bytes),
        contentType: `multipart/form-data; boundary=${boundary}`,
      };
    default:
      return scope satisfies never;
  }
}

function upload(filename: string, bytes: number): string {
  const head = `Content-Disposition: form-data; name="file"; filename="${filename}"`;
  const type = 'Content-Type: application/octet-stream';
  return `--${boundary}\r\n${head}\r\n${type}\r\n\r\n${'x'.repeat(bytes)}\r\n--${boundary}--\r\n`;
}
