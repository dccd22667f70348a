import got from 'got';

const backoff = { leastMs: 0, jitterMs: 300, growth: 2, capMs: 4_000, retries: 20 };

// A 429 had no effect, so that a POST may be sent again; after a broken connection (errorCodes) it may not.
export const api = got.extend({
  retry: {
    limit: backoff.retries,
    methods: ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'POST', 'PATCH'],
    statusCodes: [429],
    errorCodes: [],
    calculateDelay: ({ attemptCount, error, retryAfter, computedValue }) => {
      if (computedValue === 0) return 0;
      const seconds = Math.max(secondsIn(error.response?.body), (retryAfter ?? 0) / 1_000);
      return waitMs(seconds, attemptCount);
    },
  },
});

function secondsIn(body: unknown): number {
  try {
    return Number(JSON.parse(String(body)).error.retry_after_seconds) || 0;
  } catch {
    return 0;
  }
}

/** The longer of what the 429 asks for and `leastMs`, and a jitter that grows with each attempt. */
function waitMs(retryAfterSeconds: number, attempt: number): number {
  const { leastMs, jitterMs, growth, capMs } = backoff;
  const spreadMs = Math.min(capMs, jitterMs * growth ** (attempt - 1));
  return Math.max(leastMs, retryAfterSeconds * 1_000) + Math.random() * spreadMs;
}
