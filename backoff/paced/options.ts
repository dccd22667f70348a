import type { RetryAfterHeader } from '../../contract/document/retry-after.ts';
import type { WaitUnit } from '../../contract/wait-units.ts';
import type { ReadHeaders } from './headers.ts';
import type { PacedRequestHead, Scopes } from './scopes.ts';

/** How a process keeps to a service's rate limits; everything but the scopes has a default. */
export type PacedOptions = {
  readonly scopes: Scopes;
  /** Only requests to these origins are paced; left out: all that pass through the dispatcher. */
  readonly origins?: readonly string[];
  /** Length of the rolling window, s. Default: 60, as the document has it. */
  readonly windowSeconds?: number;
  /**
   * Of each limit, the part that is this process's own, from 0 to 1: with four processes on one key, 1/4. Default: 1.
   */
  readonly share?: number;
  /**
   * What tells windows apart, e.g. the API key. It is kept in memory, and in no error. Default: the header
   * Authorization.
   */
  readonly keyOf?: (request: PacedRequestHead, header: (name: string) => string | null) => string;
  /**
   * Requests that wait in one scope of one key; what comes beyond is refused here. Those that have a place as soon as the first answer is there
   * do not count. Default: 10,000.
   */
  readonly queueMax?: number;
  /** How often a request is sent at most while it is answered 429. Default: 20. */
  readonly attemptsMax?: number;
  /**
   * A 429 that asks for more, s, is handed to the caller instead of waited for. Default: five windows, of the longest, or five times
   * `refusalWaitSeconds` where that is more, and at most 1,000,000.
   */
  readonly waitSecondsMax?: number;
  /** Bytes of a streamed body that are kept for sending it again; a longer one is sent once. Default: 1 MiB. */
  readonly replayBytesMax?: number;
  /**
   * Whether headers of limits are believed: they show what others use of the key. Default: true. A service
   * whose headers are wrong needs false; `conformance run` tells.
   */
  readonly learnFromHeaders?: boolean;
  /** How they are read. Default: X-RateLimit-Limit, -Remaining and -Reset, the latter in seconds since 1970. */
  readonly readHeaders?: ReadHeaders;
  /** The statuses of a request over the limit. Default: 429. */
  readonly limitedStatuses?: readonly number[];
  /** The header in which a refusal says how long to wait, and how it is written. Default: Retry-After, as HTTP has it. */
  readonly retryAfterHeader?: RetryAfterHeader;
  /** Where a refusal's JSON body has its wait, as a JSON pointer. Default: /error/retry_after_seconds. */
  readonly retryAfterPointer?: string;
  /** How it is written there: in whole seconds, in seconds with or without a fraction, or in ms. Default: whole-seconds. */
  readonly retryAfterUnit?: WaitUnit;
  /** Whether a refused request waits until the reset that the refusal's headers tell, where that is longer than what else it says. Default: false. */
  readonly waitUntilReset?: boolean;
  /** How long to wait after a refusal that does not say it, s, as where an API blocks whoever exceeds a limit. Default: as backoff has it. */
  readonly refusalWaitSeconds?: number;
};

export type PacedSettings = Required<
  Omit<PacedOptions, 'origins' | 'windowSeconds' | 'waitSecondsMax' | 'refusalWaitSeconds'>
> & {
  /** `null`: all. */
  readonly origins: ReadonlySet<string> | null;
  readonly windowMs: number;
  readonly waitMsMax: number;
  /** After a refusal that says nothing of a wait; `null` for backoff alone. */
  readonly refusalWaitMs: number | null;
};
