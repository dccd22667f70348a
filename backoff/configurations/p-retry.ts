import { setTimeout as sleep } from 'node:timers/promises';
import pRetry from 'p-retry';

const backoff = { leastMs: 0, jitterMs: 300, growth: 2, capMs: 4_000, retries: 20 };

class TooManyRequests extends Error {
  retryAfterSeconds = 0;
}

export function request(url: string, init?: RequestInit): Promise<Response> {
  const attempt = async (): Promise<Response> => {
    const response = await fetch(url, init);
    if (response.status !== 429) return response;
    const refused = new TooManyRequests(`429 from ${url}`);
    refused.retryAfterSeconds = await secondsOf(response);
    throw refused;
  };
  return pRetry(attempt, {
    retries: backoff.retries,
    // p-retry never sees the answer: its own wait is set to nothing, and the wait is here.
    minTimeout: 0,
    shouldRetry: ({ error }) => error instanceof TooManyRequests,
    onFailedAttempt: async ({ error, attemptNumber, retriesLeft }) => {
      if (!(error instanceof TooManyRequests) || retriesLeft === 0) return;
      await sleep(waitMs(error.retryAfterSeconds, attemptNumber));
    },
  });
}

async function secondsOf(response: Response): Promise<number> {
  const body = await response.json().catch(() => null);
  const header = Number(response.headers.get('Retry-After'));
  return Math.max(Number(Object(Object(body).error).retry_after_seconds) || 0, header || 0);
}

/** The longer of what the 429 asks for and `leastMs`, and a jitter that grows with each attempt. */
function waitMs(retryAfterSeconds: number, attempt: number): number {
  const { leastMs, jitterMs, growth, capMs } = backoff;
  const spreadMs = Math.min(capMs, jitterMs * growth ** (attempt - 1));
  return Math.max(leastMs, retryAfterSeconds * 1_000) + Math.random() * spreadMs;
}
