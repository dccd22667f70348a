import { DelegateBackoff, handleType, type IRetryBackoffContext, retry } from 'cockatiel';

const backoff = { leastMs: 0, jitterMs: 300, growth: 2, capMs: 4_000, retries: 20 };

class TooManyRequests extends Error {
  retryAfterSeconds = 0;
}

const policy = retry(handleType(TooManyRequests), {
  maxAttempts: backoff.retries,
  backoff: new DelegateBackoff(({ attempt, result }: IRetryBackoffContext<unknown>) => {
    const seconds = 'error' in result ? (result.error as TooManyRequests).retryAfterSeconds : 0;
    return waitMs(seconds, attempt);
  }),
});

export function request(url: string, init?: RequestInit): Promise<Response> {
  return policy.execute(async () => {
    const response = await fetch(url, init);
    if (response.status !== 429) return response;
    const refused = new TooManyRequests(`429 from ${url}`);
    refused.retryAfterSeconds = await secondsOf(response);
    throw refused;
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
