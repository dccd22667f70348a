import { type Answer, givesUp, type Random, type Strategy } from '../strategy.ts';
import { awsAdaptiveRate, type CubicRate, cubicRate, tokenWaitMs } from './aws-cubic-rate.ts';

/** What all requests of one SDK client share: the retries that it may still spend, and what each retry did cost. */
export type AwsQuota = { capacity: number; readonly costOf: Uint8Array };

/**
 * The standard retry mode of the AWS SDK for JavaScript as it comes (@smithy/core 3.41.0, dist-es/submodules/retry/
 * util-retry/StandardRetryStrategy.js): 3 attempts of any operation, full jitter up to `1000 · 2^n` ms after a 429
 * and `50 · 2^n` ms after a lost answer, at most 20 s. Takes the header `Retry-After` for no more than 5 s beyond its
 * jitter. A quota of 500 tokens, shared by the client, ends all retries where too many of them fail.
 */
export function awsStandardDefaults(): Strategy<AwsQuota> {
  return {
    name: 'AWS SDK, standard',
    sharedBy: 'process',
    gates: false,
    heedsRetryAfter: false,
    start: ({ clients }) => fullQuota(clients),
    next: (quota, answer, random) => [retryWaitMs(quota, answer, random), quota],
  };
}

export type AwsAdaptive = { readonly quota: AwsQuota; readonly rate: CubicRate };

/**
 * Its adaptive mode (AdaptiveRetryStrategy.js, DefaultRateLimiter.js of the same folder): the standard mode, behind a
 * token bucket whose rate follows 429s as TCP CUBIC follows losses.
 */
export function awsAdaptiveDefaults(): Strategy<AwsAdaptive> {
  return {
    name: 'AWS SDK, adaptive',
    sharedBy: 'process',
    gates: true,
    heedsRetryAfter: false,
    start: ({ clients }) => ({ quota: fullQuota(clients), rate: cubicRate() }),
    next(state, answer, random) {
      if (answer.kind === 'ready') return [tokenWaitMs(state.rate, answer.nowMs), state];
      awsAdaptiveRate(state.rate, answer);
      return [retryWaitMs(state.quota, answer, random), state];
    },
  };
}

const quotaMax = 500;
const costs = { limited: 5, lost: 14 };

function fullQuota(clients: number): AwsQuota {
  return { capacity: quotaMax, costOf: new Uint8Array(clients) };
}

function retryWaitMs(quota: AwsQuota, answer: Answer, random: Random): number {
  const { kind, client, attempts } = answer;
  if (kind === 'admitted' || kind === 'ready') {
    // A request that was not retried gives one token back, another what its last retry did cost.
    quota.capacity = Math.min(quotaMax, quota.capacity + Math.max(1, quota.costOf[client] ?? 0));
    quota.costOf[client] = 0;
    return 0;
  }
  const cost = costs[kind];
  if (attempts >= 3 || quota.capacity < cost) {
    quota.costOf[client] = 0;
    return givesUp;
  }
  quota.capacity -= cost;
  quota.costOf[client] = cost;
  const baseMs = kind === 'limited' ? 1_000 : 50;
  const jitterMs = Math.floor(random() * Math.min(baseMs * 2 ** (attempts - 1), 20_000));
  const hintMs = kind === 'limited' ? answer.retryAfterHeaderSeconds * 1_000 : 0;
  return Math.max(jitterMs, Math.min(hintMs, jitterMs + 5_000));
}
