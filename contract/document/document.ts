import { z } from 'zod';
import { onceForBoth } from '../once-for-both.ts';
import { usualLimitedStatuses } from '../outcome.ts';
import type { Limits, Scope } from '../scopes.ts';
import { conflictsIn } from './conflicts.ts';
import { isCosting } from './cost.ts';
import { areKeysCountedTogether, type Counting, waysOfCounting } from './counted-by.ts';
import { furtherName, type LimitPart, type LimitPromise, partOf } from './further-limit.ts';
import { headersSchema } from './headers.ts';
import { keysSchema } from './keys.ts';
import { atOnceOf, promiseOf } from './promise.ts';
import { limitText } from './promise-words.ts';
import { refusalSchema } from './refusal.ts';
import { scopeNameSchema, scopeSchema, scopesMax } from './scope.ts';
import { arePromisedOnRefusals, type ScopedHeaders } from './scope-headers.ts';
import { sentenceSchema } from './sentence.ts';
import { outerOf, sharesLimits } from './within.ts';

/** What an API promises about how many requests pass, and about its answers. */
export const documentSchema = z
  .strictObject({
    version: z.literal(1, 'must be 1: this version reads no other'),
    /** What reports call it. */
    title: z.string().min(1).max(80),
    /** The window of every limit that names none of its own. */
    windowSeconds: z.number().min(1).max(3_600),
    /** What answers carry, where their scope says nothing else: `X-RateLimit-Limit`, `-Remaining` and `-Reset`, in epoch seconds; headers by their names; `none`: nothing is promised of headers. */
    headers: headersSchema.default('x-ratelimit'),
    /** Whether errors have the messaging document’s body, with `retry_after_seconds` in a 429; `none`: no body is promised. */
    errors: z.enum(['success-false', 'none']).default('success-false'),
    /** How a request over the limit is answered; left out: by a 429. */
    refusal: refusalSchema.optional(),
    /**
     * Whether a key is needed, and only a valid one is served: a bearer token, or what stands in a header of its own;
     * `none`: nothing is promised of keys but that each has windows of its own.
     */
    keys: keysSchema,
    /**
     * Whose requests are counted together, where a scope says nothing else: each key's, or those of all keys of an account, or
     * of whoever comes from one address; a run's keys are then of one account.
     */
    countedBy: z.enum(waysOfCounting).optional(),
    /** What the document says of single clauses, by their ids: its own words, and how binding they are. */
    sentences: z.record(z.string(), sentenceSchema).optional(),
    /** What is counted together, by name, in the order of reports. */
    scopes: z
      .record(scopeNameSchema, scopeSchema)
      .refine((scopes) => Object.keys(scopes).length > 0, 'needs at least one scope')
      .refine((scopes) => Object.keys(scopes).length <= scopesMax, `has more than ${scopesMax} scopes`),
  })
  .superRefine((document, context) => {
    for (const { path, message } of conflictsIn(document, limitedStatusesOf(document)))
      context.addIssue({ code: 'custom', path: [...path], message });
  });

export type Document = z.infer<typeof documentSchema>;

/** A document as a person writes it: what has a default may be left out. */
export type DocumentInput = z.input<typeof documentSchema>;

/** Types a document that settings hold themselves: `document: defineDocument({ … })`. Checked when they are loaded. @public */
export function defineDocument(input: DocumentInput): DocumentInput {
  return input;
}

/** The scopes of a document, in its order. */
export function scopesOf({ scopes }: Pick<Document, 'scopes'>): readonly Scope[] {
  return Object.keys(scopes);
}

/** How many units pass at once in each scope: its first limit, or what its bucket holds. */
export function limitsOf({ scopes }: Pick<Document, 'scopes'>): Limits {
  return Object.fromEntries(Object.entries(scopes).map(([name, scope]) => [name, atOnceOf(scope)]));
}

/**
 * The limits of a scope as a table has them: "40 in any 60 s", "1000 in each 3600 s and 10 in any 1 s".
 * @throws where the document has no such scope.
 */
export function limitTextOf(document: Pick<Document, 'scopes' | 'windowSeconds'>, scope: Scope): string {
  return partsOf(document, scope).map(partText).join(' and ');
}

/** One limit as a table has it. */
export function partText({ promise, perWindow, seconds }: LimitPart): string {
  return limitText(promise, { limit: perWindow, seconds });
}

/**
 * All limits of a scope, the first one first.
 * @throws where the document has no such scope.
 */
export function partsOf(
  { scopes, windowSeconds }: Pick<Document, 'scopes' | 'windowSeconds'>,
  scope: Scope,
): readonly [LimitPart, ...LimitPart[]] {
  const named = scopes[scope];
  if (named === undefined) throw new Error(`the document has no scope ${scope}`);
  const further = (named.also ?? []).map((one) =>
    partOf(one, { name: furtherName(one), seconds: one.windowSeconds }),
  );
  return [partOf(named, { name: null, seconds: named.windowSeconds ?? windowSeconds }), ...further];
}

/** The limits of a scope beside its first; none where the document has no such scope. */
export function furtherIn(
  document: Pick<Document, 'scopes' | 'windowSeconds'>,
  scope: Scope,
): readonly LimitPart[] {
  return document.scopes[scope]?.also === undefined ? [] : partsOf(document, scope).slice(1);
}

type Promising = Pick<Document, 'scopes' | 'windowSeconds'> & Counting;

/** What a scope promises, the same object each time; a rolling window where the document has no such scope. */
export const promiseIn: (document: Promising, scope: Scope) => LimitPromise = onceForBoth(promiseOfScope);

function promiseOfScope(document: Promising, scope: Scope): LimitPromise {
  const named = document.scopes[scope];
  if (named === undefined) return { kind: 'rolling' };
  const single = promiseOf(named);
  // Where keys share their windows, what each of them did is held against the limit together, as several limits are; and so
  // is a rolling window of requests that do not cost alike.
  const isOne =
    named.also === undefined && !areKeysCountedTogether(document, scope) && !sharesLimits(document, scope);
  return isOne && !(single.kind === 'rolling' && isCosting(named))
    ? single
    : { kind: 'several', parts: passedPartsOf(document, scope) };
}

/**
 * All limits that a request of a scope has to pass: those of its own, the first one first, and those of the scope within which it lies.
 * @throws where the document has no such scope.
 */
export function passedPartsOf(
  document: Pick<Document, 'scopes' | 'windowSeconds'>,
  scope: Scope,
): readonly [LimitPart, ...LimitPart[]] {
  return [...partsOf(document, scope), ...outerPartsIn(document, scope)];
}

/** The limits of the scope within which another one lies, as that one has to keep to them; none where it lies in none. */
export function outerPartsIn(
  document: Pick<Document, 'scopes' | 'windowSeconds'>,
  scope: Scope,
): readonly LimitPart[] {
  const outer = outerOf(document, scope);
  if (outer === null) return [];
  // No limit of its own is called so: their names have no white space.
  return partsOf(document, outer).map((part) => ({
    ...part,
    name: `of ${[outer, ...(part.name === null ? [] : [part.name])].join('.')}`,
    of: { scope: outer, name: part.name },
  }));
}

/** Whether a scope has one limit, a rolling window. */
export function isRollingIn(document: Promising, scope: Scope): boolean {
  return promiseIn(document, scope).kind === 'rolling';
}

/** Whether no more than the first limit of a scope may pass in any stretch of time as long as its window. */
export function isRollingBound({ scopes }: Pick<Document, 'scopes'>, scope: Scope): boolean {
  const named = scopes[scope];
  const kind = named === undefined ? 'rolling' : promiseOf(named).kind;
  return kind === 'rolling' || kind === 'at-most';
}

/** Whether any request of a document costs more than 1, or shares the window of another one. */
export function hasCosts({ scopes }: Pick<Document, 'scopes'>): boolean {
  return Object.values(scopes).some(isCosting);
}

/** Whether every limit of a document is a rolling window. */
export function isRollingAlone(document: Pick<Document, 'scopes' | 'windowSeconds' | 'countedBy'>): boolean {
  return scopesOf(document).every((scope) => isRollingIn(document, scope));
}

/**
 * How long the window of a scope's first limit is, as a multiple of the document's: for a bucket, the time in which an
 * empty one is full again.
 */
export function windowShareOf(document: Pick<Document, 'scopes' | 'windowSeconds'>, scope: Scope): number {
  if (document.scopes[scope] === undefined) return 1;
  const [{ wholeSeconds }] = partsOf(document, scope);
  return wholeSeconds / document.windowSeconds;
}

/** The statuses with which a request over the limit is answered. */
export function limitedStatusesOf({ refusal }: Pick<Document, 'refusal'>): readonly number[] {
  return refusal === undefined ? usualLimitedStatuses : [refusal.status].flat();
}

/** The same as sentences have them: "403", "429 or 503". */
export function limitedStatusText(document: Pick<Document, 'refusal'>): string {
  return limitedStatusesOf(document).join(' or ');
}

/** Whether nothing tells a refusal from an outage: it is a 5xx, and in a scope no headers are promised that an outage would lack. */
export function refusesLikeOutage(document: ScopedHeaders & Pick<Document, 'refusal'>): boolean {
  return !arePromisedOnRefusals(document) && limitedStatusesOf(document).some((status) => status >= 500);
}

/** The figure by the second of a scope; `null` where the document has none. */
export function perSecondOf({ scopes }: Pick<Document, 'scopes'>, scope: Scope): number | null {
  return scopes[scope]?.perSecond ?? null;
}
