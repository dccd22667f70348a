import { awsAdaptiveDefaults, awsStandardDefaults } from './libraries/aws-sdk.ts';
import { axiosRetryDefaults } from './libraries/axios-retry.ts';
import { cockatielDefaults } from './libraries/cockatiel.ts';
import { gotDefaults } from './libraries/got.ts';
import { kyDefaults } from './libraries/ky.ts';
import { pRetryDefaults } from './libraries/p-retry.ts';
import { undiciDefaults } from './libraries/undici.ts';
import {
  type Backoff,
  decorrelatedJitter,
  equalJitter,
  exponentialBackoff,
  fullJitter,
  noBackoff,
} from './strategies/jitter.ts';
import { retryAfterAlone } from './strategies/retry-after.ts';
import type { Request, Strategy } from './strategy.ts';

/** Any strategy, whatever its state: what belongs to one is only ever given back to it. */
export type AnyStrategy = Strategy<unknown>;

/** What people do today, by the name under which they would look for it. */
export function todaysStrategies(request: Request): Readonly<Record<TodaysName, AnyStrategy>> {
  return {
    none: erased(noBackoff(asInArticles)),
    exponential: erased(exponentialBackoff(asInArticles)),
    'equal-jitter': erased(equalJitter(asInArticles)),
    'full-jitter': erased(fullJitter(asInArticles)),
    'decorrelated-jitter': erased(decorrelatedJitter(asInArticles)),
    'retry-after': erased(retryAfterAlone()),
    undici: erased(undiciDefaults(request)),
    got: erased(gotDefaults(request)),
    ky: erased(kyDefaults(request)),
    'axios-retry': erased(axiosRetryDefaults(request)),
    'p-retry': erased(pRetryDefaults()),
    cockatiel: erased(cockatielDefaults()),
    'aws-sdk': erased(awsStandardDefaults()),
    'aws-adaptive': erased(awsAdaptiveDefaults()),
  };
}

export const todaysNames = [
  'none',
  'exponential',
  'equal-jitter',
  'full-jitter',
  'decorrelated-jitter',
  'retry-after',
  'undici',
  'got',
  'ky',
  'axios-retry',
  'p-retry',
  'cockatiel',
  'aws-sdk',
  'aws-adaptive',
] as const;

export type TodaysName = (typeof todaysNames)[number];

export function erased<State>(strategy: Strategy<State>): AnyStrategy {
  return strategy as AnyStrategy;
}

/** Half a second at first, as undici has it, at most half a minute, and no thought of what the 429 says. */
const asInArticles: Backoff = { baseMs: 500, capMs: 30_000, retryAfter: 'ignored' };
