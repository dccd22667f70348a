import ky from 'ky';

const backoff = { leastMs: 0, jitterMs: 300, growth: 2, capMs: 4_000, retries: 20 };

// A 429 had no effect, so that a POST may be sent again, which a retry from this hook does.
export const api = ky.create({
  retry: { limit: backoff.retries, statusCodes: [429] },
  hooks: {
    afterResponse: [
      async ({ response, retryCount }) => {
        if (response.status !== 429 || retryCount >= backoff.retries) return undefined;
        return ky.retry({ delay: waitMs(await secondsOf(response), retryCount + 1) });
      },
    ],
  },
});

async function secondsOf(response: Response): Promise<number> {
  const body = await response
    .clone()
    .json()
    .catch(() => null);
  const header = Number(response.headers.get('Retry-After'));
  return Math.max(Number(Object(Object(body).error).retry_after_seconds) || 0, header || 0);
}

/** The longer of what the 429 asks for and `leastMs`, and a jitter that grows with each attempt. */
function waitMs(retryAfterSeconds: number, attempt: number): number {
  const { leastMs, jitterMs, growth, capMs } = backoff;
  const spreadMs = Math.min(capMs, jitterMs * growth ** (attempt - 1));
  return Math.max(leastMs, retryAfterSeconds * 1_000) + Math.random() * spreadMs;
}
