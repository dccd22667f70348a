import { Pool } from 'undici';
import { codeOf } from '../../contract/thrown.ts';
import { answerBytesMax, attemptMsMax, attemptsAtOnceMax } from '../choices.ts';
import type { AttemptResult } from './retry.ts';
import type { WebhookRequest } from './sender.ts';

/** Connections to one subscriber. */
export type Poster = {
  /** One attempt. Never rejects: a failure is a result too. */
  post(request: WebhookRequest): Promise<AttemptResult>;
  close(): Promise<void>;
};

export function openPoster(url: string, attemptMs = attemptMsMax): Poster {
  const { origin, pathname, search } = new URL(url);
  const pool = new Pool(origin, {
    connections: attemptsAtOnceMax,
    pipelining: 1,
    connect: { timeout: attemptMs },
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const path = `${pathname}${search}`;
  return {
    async post({ method, headers, body }) {
      const overdue = new AbortController();
      const timer = setTimeout(() => overdue.abort(), attemptMs);
      try {
        const answer = await pool.request({
          method: method as 'POST',
          path,
          headers: headers.flat(),
          body,
          signal: overdue.signal,
        });
        await answer.body.dump({ limit: answerBytesMax, signal: overdue.signal });
        return {
          kind: 'answered',
          status: answer.statusCode,
          retryAfterSeconds: secondsOf(answer.headers['retry-after']),
        };
      } catch (error) {
        const why = overdue.signal.aborted ? `no answer within ${attemptMs / 1_000} s` : reasonOf(error);
        return { kind: 'no-answer', why };
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => pool.destroy(),
  };
}

/** Seconds of a `Retry-After` (RFC 9110 §10.2.3); `null` for a date. */
function secondsOf(value: string | readonly string[] | undefined): number | null {
  return typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : null;
}

function reasonOf(error: unknown): string {
  return codeOf(error) ?? String(error);
}
