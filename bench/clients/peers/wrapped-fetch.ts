import type { Job } from '../peer.ts';

/** What a wrapper of any function is given to retry: a request that throws unless it got through. */
export async function fetchOrThrow({ url, ...job }: Job): Promise<void> {
  const answer = await fetch(url, job);
  await answer.arrayBuffer();
  if (answer.ok) return;
  throw new RefusedError(answer.status, answer.headers.get('retry-after'));
}

/** An answer that is none of 2xx. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;
  readonly retryAfter: string | null;

  constructor(status: number, retryAfter: string | null) {
    super(`status ${status}`);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}
