import { randomUUID } from 'node:crypto';
import type { MessagingScope, Scope } from '../../contract/scopes.ts';
import { textRequest } from '../../service/reference-requests.ts';
import type { Job } from './peer.ts';

export type JobsSettings = {
  readonly url: string;
  readonly secret: string;
  readonly scope: Scope;
  readonly method: Job['method'];
  readonly count: number;
};

/** So many requests of one scope, each with an Idempotency-Key of its own. */
export function makeJobs({ url, secret, scope, method, count }: JobsSettings): readonly Job[] {
  const { path, headers, ...request } = textRequest(
    scope as MessagingScope,
    method === 'GET' ? 'reading' : 'any',
  );
  return Array.from({ length: count }, () => ({
    ...request,
    url: `${url}${path}`,
    headers: { ...headers, authorization: `Bearer ${secret}`, 'idempotency-key': randomUUID() },
  }));
}
