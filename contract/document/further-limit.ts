import { z } from 'zod';
import type { Scope } from '../scopes.ts';
import { type PromiseSetting, promiseOf, promiseSchema, type SinglePromise } from './promise.ts';

/** Limits with longer windows than this are not probed: no run takes as long, ms. */
export const probedWindowMsMax = 3_600_000;

/** A scope has so many limits beside its first at most. */
export const furtherMax = 3;

/** A limit that a scope has beside its first: 10 in a second, where the first is 1,000 in an hour. */
export const furtherLimitSchema = z.strictObject({
  /** What its clause is called after the scope’s; left out: by its window, "10s". */
  name: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9-]{0,19}$/,
      'must be a short name of lower-case letters, digits and "-", e.g. "10s"',
    )
    .optional(),
  limit: z.int().min(1).max(1_000_000),
  windowSeconds: z.number().min(1).max(2_678_400),
  promise: promiseSchema.optional(),
});

export type FurtherLimit = z.infer<typeof furtherLimitSchema>;

/** The name of a further limit: its own, or the length of its window. */
export function furtherName({ name, windowSeconds }: Pick<FurtherLimit, 'name' | 'windowSeconds'>): string {
  return name ?? `${windowSeconds}s`;
}

/** One of the limits of a scope that has several. */
export type LimitPart = {
  /** `null` of the first one, whose clause has the name of the scope alone. */
  readonly name: string | null;
  /** Of a limit that the scope shares with another one, within which it lies: that scope, and what the limit is called there. */
  readonly of?: { readonly scope: Scope; readonly name: string | null };
  readonly promise: SinglePromise;
  /** How many pass at once: the limit, or what the bucket holds. */
  readonly limit: number;
  /** As many come back in `seconds` as this. */
  readonly perWindow: number;
  /** The length of its window, s; of a bucket, in how long `perWindow` tokens come back. */
  readonly seconds: number;
  /** The same for `limit` of them: a bucket's is the time in which an empty one is full again. */
  readonly wholeSeconds: number;
};

/** What a scope promises: one limit, or several that a request has to pass. */
export type LimitPromise =
  | SinglePromise
  | { readonly kind: 'several'; readonly parts: readonly [LimitPart, ...LimitPart[]] };

/** A limit of a scope with all that is said of it. */
export function partOf(
  said: { readonly promise?: PromiseSetting | undefined; readonly limit: number },
  { name, seconds }: Pick<LimitPart, 'name' | 'seconds'>,
): LimitPart {
  const promise = promiseOf(said);
  const limit = promise.kind === 'token-bucket' ? promise.size : said.limit;
  return {
    name,
    promise,
    limit,
    perWindow: said.limit,
    seconds,
    wholeSeconds: (seconds * limit) / said.limit,
  };
}
