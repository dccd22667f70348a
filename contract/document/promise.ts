import { z } from 'zod';
import { neither } from '../plain-words.ts';

/**
 * What kind of limiter a limit of `limit` requests in `windowSeconds` describes.
 * - `rolling`: in any window of that length so many pass, and no fewer.
 * - `fixed`: so many in each window, which begins anew: with the clock's (`clock`: at whole multiples of its length since
 *   1970), with the first request after the one before (`first-request`), or whenever (`unsaid`).
 * - `token-bucket`: a bucket of `size` tokens (left out: the limit) that gets them back evenly, `limit` per window; one token
 *   a request, none for a rejected one. GCRA and a leaky bucket as a meter are the same.
 * - `at-most`: no more than so many in any rolling window; refusals are free.
 * - `at-least`: who made fewer requests in the window before is served; more may be.
 * - `unsaid`: any of the limiters above that keeps limit and window, or a counter of two windows that weighs the one before.
 */
export const promiseKinds = ['rolling', 'fixed', 'token-bucket', 'at-most', 'at-least', 'unsaid'] as const;

export type PromiseKind = (typeof promiseKinds)[number];

/** Where the windows of a fixed one begin. */
export const alignments = ['clock', 'first-request', 'unsaid'] as const;

export type Alignment = (typeof alignments)[number];

const fixedSchema = z.strictObject({
  kind: z.literal('fixed'),
  aligned: z.enum(alignments).default('unsaid'),
});

const bucketSchema = z.strictObject({
  kind: z.literal('token-bucket'),
  /** Tokens of a full bucket: so many pass at once. */
  size: z.int().min(1).max(1_000_000).optional(),
});

const simpleSchema = z.strictObject({ kind: z.enum(['rolling', 'at-most', 'at-least', 'unsaid']) });

/** A kind, or a kind with what else is said of it. */
export const promiseSchema = z.union(
  [z.enum(promiseKinds), z.discriminatedUnion('kind', [fixedSchema, bucketSchema, simpleSchema])],
  { error: neither(promiseKinds, 'fields, as { kind: fixed, aligned: clock }') },
);

export type PromiseSetting = z.infer<typeof promiseSchema>;

/** A promise of one limit with all that is said of it. */
export type SinglePromise =
  | { readonly kind: 'rolling' | 'at-most' | 'at-least' | 'unsaid' }
  | { readonly kind: 'fixed'; readonly aligned: Alignment }
  | { readonly kind: 'token-bucket'; readonly size: number };

/** What a limit promises; rolling where nothing is said. */
export function promiseOf({
  promise = 'rolling',
  limit,
}: {
  readonly promise?: PromiseSetting | undefined;
  readonly limit: number;
}): SinglePromise {
  const said: SaidPromise = typeof promise === 'string' ? { kind: promise } : promise;
  switch (said.kind) {
    case 'fixed':
      return { kind: said.kind, aligned: said.aligned ?? 'unsaid' };
    case 'token-bucket':
      return { kind: said.kind, size: said.size ?? limit };
    default:
      return { kind: said.kind };
  }
}

/** A promise as it is written, in one shape. */
type SaidPromise = {
  readonly kind: PromiseKind;
  readonly aligned?: Alignment | undefined;
  readonly size?: number | undefined;
};

/** How many units pass at once. */
export function atOnceOf(limit: {
  readonly promise?: PromiseSetting | undefined;
  readonly limit: number;
}): number {
  const promise = promiseOf(limit);
  return promise.kind === 'token-bucket' ? promise.size : limit.limit;
}
