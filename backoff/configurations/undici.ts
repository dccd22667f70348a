import { Agent, errors, RetryAgent } from 'undici';

const backoff = { leastMs: 0, jitterMs: 300, growth: 2, capMs: 4_000, retries: 20 };

// A 429 had no effect, so that a POST may be sent again. undici sees the header Retry-After, not the body's field.
export const dispatcher = new RetryAgent(new Agent(), {
  statusCodes: [429],
  errorCodes: [],
  retry: (error, { state }, done) => {
    const isRefused = error instanceof errors.RequestRetryError && error.statusCode === 429;
    if (!isRefused || state.counter > backoff.retries) {
      done(error);
      return;
    }
    const seconds = Number(Object(error.headers)['retry-after']);
    setTimeout(() => done(null), waitMs(seconds || 0, state.counter));
  },
});

/** The longer of what the 429 asks for and `leastMs`, and a jitter that grows with each attempt. */
function waitMs(retryAfterSeconds: number, attempt: number): number {
  const { leastMs, jitterMs, growth, capMs } = backoff;
  const spreadMs = Math.min(capMs, jitterMs * growth ** (attempt - 1));
  return Math.max(leastMs, retryAfterSeconds * 1_000) + Math.random() * spreadMs;
}
