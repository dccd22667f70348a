import { StandardRetryStrategy } from '@smithy/core/retry';
import type { ClientPeer, Job } from '../peer.ts';
import { fetchOrThrow, RefusedError } from './wrapped-fetch.ts';

/** The retry strategy of the AWS SDK for JavaScript, one for all requests as a client of the SDK has it. */
export const awsSdkPeer: ClientPeer = {
  library: 'AWS SDK retries around fetch',
  package: '@smithy/core',
  methods: ['POST'],
  scopes: ['messages'],
  open: () => {
    // 3 is what the SDK asks for where nothing is set (AWS_MAX_ATTEMPTS).
    const strategy = new StandardRetryStrategy(3);
    return { send: (job) => withRetries(strategy, job), close: () => Promise.resolve() };
  },
};

/** As the SDK's own middleware goes about it: a token to begin with, another for each retry. */
async function withRetries(strategy: StandardRetryStrategy, job: Job): Promise<void> {
  for (let token = await strategy.acquireInitialRetryToken('messages'); ; ) {
    try {
      await fetchOrThrow(job);
      strategy.recordSuccess(token);
      return;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      const seconds = Number(error.retryAfter ?? Number.NaN);
      const hint = Number.isNaN(seconds) ? {} : { retryAfterHint: new Date(Date.now() + seconds * 1_000) };
      token = await strategy.refreshRetryTokenForRetry(token, { errorType: 'THROTTLING', ...hint });
    }
  }
}
