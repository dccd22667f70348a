import { StandardRetryStrategy } from '@smithy/util-retry';

const backoff = { leastMs: 0, jitterMs: 300, growth: 2, capMs: 4_000, retries: 20 };

type Refresh = StandardRetryStrategy['refreshRetryTokenForRetry'];

// new SomeClient({ retryStrategy: new WindowRetryStrategy(async () => backoff.retries + 1) })
// The SDK's own strategy follows Retry-After for no more than five seconds. It hands over the header alone.
export class WindowRetryStrategy extends StandardRetryStrategy {
  override async refreshRetryTokenForRetry(...[token, info]: Parameters<Refresh>): ReturnType<Refresh> {
    if (info.errorType !== 'THROTTLING') return super.refreshRetryTokenForRetry(token, info);
    const attempt = token.getRetryCount() + 1;
    if (attempt > backoff.retries) throw new Error('no retries are left');
    const dueMs = info.retryAfterHint?.getTime() ?? Date.now();
    const delayMs = waitMs((dueMs - Date.now()) / 1_000, attempt);
    return { ...token, getRetryCount: () => attempt, getRetryDelay: () => delayMs, getRetryCost: () => 0 };
  }
}

/** The longer of what the 429 asks for and `leastMs`, and a jitter that grows with each attempt. */
function waitMs(retryAfterSeconds: number, attempt: number): number {
  const { leastMs, jitterMs, growth, capMs } = backoff;
  const spreadMs = Math.min(capMs, jitterMs * growth ** (attempt - 1));
  return Math.max(leastMs, retryAfterSeconds * 1_000) + Math.random() * spreadMs;
}
