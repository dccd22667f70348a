import { attemptsMax, retryBaseMs, retryPauseMsMax } from '../choices.ts';

/** The result of one attempt to deliver an event. */
export type AttemptResult =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'no-answer'; readonly why: string };

export type Settlement =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly afterMs: number }
  | { readonly kind: 'give-up'; readonly why: string };

export type Attempt = {
  readonly attempted: AttemptResult;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
};

/** What to do after an attempt. Pauses have equal jitter: half of each is fixed, half is random. */
export function afterAttempt({ attempted, attempt, random }: Attempt): Settlement {
  if (attempted.kind === 'answered' && attempted.status >= 200 && attempted.status < 300)
    return { kind: 'delivered' };
  const what = attempted.kind === 'answered' ? `HTTP ${attempted.status}` : attempted.why;
  if (attempted.kind === 'answered' && attempted.status !== 429 && attempted.status < 500)
    return { kind: 'give-up', why: what };
  if (attempt >= attemptsMax) return { kind: 'give-up', why: `${what}, ${attempt} times` };
  const pauseMs = Math.min(retryPauseMsMax, retryBaseMs * 2 ** (attempt - 1));
  const askedMs = attempted.kind === 'answered' ? (attempted.retryAfterSeconds ?? 0) * 1_000 : 0;
  const afterMs = Math.max(Math.min(askedMs, retryPauseMsMax), pauseMs / 2 + (random() * pauseMs) / 2);
  return { kind: 'retry', afterMs };
}
