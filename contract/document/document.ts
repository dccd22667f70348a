import { z } from 'zod';
import { onceForBoth } from '../once-for-both.ts';
import { usualLimitedStatuses } from '../outcome.ts';
import { answeredOf, requestTemplateSchema } from '../request-template.ts';
import type { Limits, Scope } from '../scopes.ts';
import { costSchema, isCosting, otherRequestSchema } from './cost.ts';
import {
  areKeysCountedTogether,
  type Counting,
  carriesKeys,
  countedByIn,
  waysOfCounting,
} from './counted-by.ts';
import { type CountedTwice, countedTwice, countsMethod } from './counted-requests.ts';
import { methodsSchema, pathsSchema } from './counting.ts';
import {
  furtherLimitSchema,
  furtherName,
  type LimitPart,
  type LimitPromise,
  partOf,
} from './further-limit.ts';
import { headersSchema, isPromisedOn, promisedHeaders } from './headers.ts';
import { keysSchema } from './keys.ts';
import { type PromiseSetting, promiseOf, promiseSchema } from './promise.ts';
import { limitText } from './promise-words.ts';
import { refusalSchema } from './refusal.ts';
import { arePromisedOnRefusals, headersIn, otherUnits, type ScopedHeaders } from './scope-headers.ts';
import { sentenceSchema } from './sentence.ts';
import { misplaced, outerOf, sharesLimits } from './within.ts';

/** Names that mean something else where requests are named by their scope. */
const taken = ['messagesSubpath', 'otherError'];

const scopeNameSchema = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,39}$/,
    'must be a short name of lower-case letters, digits and "-", e.g. "search"',
  )
  .refine(
    (name) => !reserved.has(`limits.${name}`) && !taken.includes(name),
    'is the name of something else',
  );

/** How many a document may have: a run fills all of them at the same time. */
export const scopesMax = 24;

/** What clauses about limits are called that are not about one scope. */
const reserved: ReadonlySet<string> = new Set([
  ...['limits.messages-subpaths', 'limits.per-key', 'limits.shared', 'limits.per-scope', 'limits.per-second'],
  'limits.rejections-count',
]);

/** Requests that a document counts together, and how many of them pass. */
const scopeSchema = z.strictObject({
  /** What is limited, as it stands in a sentence: "120 a minute on standard routes". */
  title: z.string().min(1).max(80),
  /** So many pass in a window, for each key. */
  limit: z.int().min(1).max(1_000_000),
  /** The window of this limit, where it is not the document's. */
  windowSeconds: z.number().min(1).max(3_600).optional(),
  /** What kind of limit it is; left out: a rolling window. */
  promise: promiseSchema.optional(),
  /** Limits that a request has to pass besides; what answers say is of the first, or of any. */
  also: z.array(furtherLimitSchema).min(1).max(3).optional(),
  /** The same by the second, where the document says so too. */
  perSecond: z.int().min(1).max(1_000_000).optional(),
  /** Methods that are counted here; left out: all that no other scope with the same path names. */
  methods: methodsSchema.optional(),
  /** Paths that are counted here, with all below them; left out: all that no other scope names. */
  paths: pathsSchema.optional(),
  /** The scope in whose limits these requests take places too: that of an app as a whole, say. */
  within: z.string().optional(),
  /** Whose requests are counted together here, where that is not what the document says. */
  countedBy: z.enum(waysOfCounting).optional(),
  /** `none`: the requests of this scope carry no key, and are served without one. Left out: as the document says. */
  keys: z.literal('none', 'must be none: where a key stands, the document says for all scopes').optional(),
  /** What answers carry here, where that is not what they carry in all scopes. */
  headers: headersSchema.optional(),
  /** The request that stands for the scope, where the document shows it. */
  request: requestTemplateSchema.optional(),
  /** How many units of the limit a request takes; left out: 1. */
  cost: costSchema.optional(),
  /** Other requests that are counted in the same window, each with its cost. */
  others: z.array(otherRequestSchema).min(1).max(4).optional(),
});

/**
 * What an API promises about how many requests pass: the first version knows one limit for each key and scope, and a 429
 * over it.
 */
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
  .superRefine(({ scopes, errors, refusal, headers, countedBy }, context) => {
    for (const name of ['body', 'bodySchema'] as const) {
      if (refusal?.[name] === undefined || errors === 'none') continue;
      const message =
        'stands beside errors: success-false, which promises the messaging document’s body: write errors: none';
      context.addIssue({ code: 'custom', path: ['refusal', name], message });
    }
    const without = refusal?.waitUntilReset === true ? scopesWithoutReset({ headers, scopes }) : [];
    if (without.length > 0) {
      const have = without.length === 1 ? 'has' : 'have';
      const isNone = without.length === Object.keys(scopes).length;
      const at = isNone ? '' : `: ${without.join(', ')} ${have} none`;
      const message = `needs a reset among the headers, one that refusals carry${at}`;
      context.addIssue({ code: 'custom', path: ['refusal', 'waitUntilReset'], message });
    }
    const found = [
      ...contradictions({ scopes, countedBy }),
      ...unlikeResets({ headers, scopes }),
      ...passedAsRefused(scopes, limitedStatusesOf({ refusal })),
    ];
    for (const { path, message } of found) {
      context.addIssue({ code: 'custom', path: ['scopes', ...path], message });
    }
  });

export type Document = z.infer<typeof documentSchema>;

/** A document as a person writes it: what has a default may be left out. */
export type DocumentInput = z.input<typeof documentSchema>;

/** Types a document that settings hold themselves: `document: defineDocument({ … })`. Checked when they are loaded. @public */
export function defineDocument(input: DocumentInput): DocumentInput {
  return input;
}

type ScopeSaid = z.infer<typeof scopeSchema>;

type Contradiction = { readonly path: readonly (string | number)[]; readonly message: string };

/** What two sentences of a document cannot both mean. */
function contradictions({
  scopes,
  countedBy,
}: Pick<Document, 'scopes' | 'countedBy'>): readonly Contradiction[] {
  const found: Contradiction[] = [];
  for (const [name, scope] of Object.entries(scopes)) {
    const { perSecond, limit, also = [] } = scope;
    const outer = scope.within === undefined ? undefined : scopes[scope.within];
    const own = [...tooDear(scope, outer), ...byOtherMethods(scope)];
    found.push(...own.map(({ path, message }) => ({ path: [name, ...path], message })));
    const names = also.map(furtherName);
    for (const [at, further] of names.entries()) {
      if (names.indexOf(further) < at)
        found.push({
          path: [name, 'also', at],
          message: `is the second one called ${further}: give it a name`,
        });
    }
    if (perSecond !== undefined && perSecond > limit) {
      const message = `is above the limit of ${limit}: no second can have more than its window`;
      found.push({ path: [name, 'perSecond'], message });
    }
  }
  const twice = countedTwice(scopes).map((one) => ({
    path: one.at === null ? [one.scope] : [one.scope, 'paths', one.at],
    message: twiceText(one),
  }));
  const placed = misplaced(scopes).map(({ scope, message }) => ({ path: [scope, 'within'], message }));
  const counted = [...otherwiseCounted({ scopes, countedBy }), ...keyless({ scopes, countedBy })];
  return [...found, ...twice, ...placed, ...counted];
}

/** Scopes that count otherwise than the one within which they lie: of one window, requests would be counted in two ways. */
function otherwiseCounted(document: Pick<Document, 'scopes' | 'countedBy'>): readonly Contradiction[] {
  return Object.entries(document.scopes).flatMap(([scope, { within }]) => {
    if (within === undefined || !Object.hasOwn(document.scopes, within)) return [];
    const [own, outer] = [countedByIn(document, scope), countedByIn(document, within)];
    if (own === outer) return [];
    const message =
      `counts by ${own}, and ${within}, within which it lies, by ${outer}, which no run tells apart: leave within out, and ` +
      'promise at-most in both scopes';
    return [{ path: [scope, 'within'], message }];
  });
}

/** Scopes whose requests carry no key, and are to be counted by one; or all of them. */
function keyless(document: Pick<Document, 'scopes' | 'countedBy'>): readonly Contradiction[] {
  const found = scopesOf(document).filter((scope) => !carriesKeys(document, scope));
  const isAll = found.length === Object.keys(document.scopes).length;
  return found.flatMap((scope) => {
    const by = countedByIn(document, scope);
    const message =
      by !== 'address'
        ? `stands beside countedBy: ${by}, and requests without a key tell of none: write countedBy: address here`
        : isAll && 'stands at every scope: write keys: none, and countedBy: address, for the whole document';
    return message === false ? [] : [{ path: [scope, 'keys'], message }];
  });
}

/** Scopes whose refusals are not promised to carry a reset. */
function scopesWithoutReset(document: ScopedHeaders): readonly Scope[] {
  return Object.keys(document.scopes).filter(
    (scope) => !isPromisedOn('reset', 'limited', promisedHeaders(headersIn(document, scope))),
  );
}

/** Resets are judged, and read by clients, in one unit. */
function unlikeResets(document: ScopedHeaders): readonly Contradiction[] {
  return otherUnits(document).map(({ scope, unit, usual }) => ({
    path: [scope, 'headers'],
    message: `tells its reset in ${unit}, and another scope in ${usual}: one document has one unit`,
  }));
}

/** Requests that are answered in the same way whether they pass or are refused. */
function passedAsRefused(
  scopes: Readonly<Record<string, ScopeSaid>>,
  limited: readonly number[],
): readonly Contradiction[] {
  return Object.entries(scopes).flatMap(([name, { request, others = [] }]) => {
    const shown = [
      ...(request === undefined ? [] : [{ path: ['request'], request }]),
      ...others.map((other, at) => ({ path: ['others', at, 'request'], request: other.request })),
    ];
    return shown.flatMap(({ path, request: asked }) => {
      const status = answeredOf(asked).find((one) => limited.includes(one));
      return status === undefined
        ? []
        : [{ path: [name, ...path, 'answered'], message: answeredAsRefusedText(status) }];
    });
  });
}

/** What is wrong with a request that is answered by a status of refusals where it passes. */
export function answeredAsRefusedText(status: number): string {
  return `${status} is how a request over the limit is answered: no answer would tell whether one passed`;
}

function twiceText({ at, before, path, method }: CountedTwice): string {
  const byMethod = method === null ? '' : `, and both count ${method}`;
  if (at !== null) return `is a path of ${before} too${byMethod}`;
  if (path !== null) return `has no paths, and ${path} of ${before} is every path${byMethod}`;
  const only = method === null ? ': only one scope can take all that no other names' : byMethod;
  return `has no paths, and neither has ${before}${only}`;
}

/** Requests that their own scope does not count. */
function byOtherMethods(scope: ScopeSaid): readonly Contradiction[] {
  const { methods, request, others = [] } = scope;
  const shown = [
    ...(request === undefined ? [] : [{ path: ['request'], method: request.method }]),
    ...others.map((one, at) => ({ path: ['others', at, 'request'], method: one.request.method })),
  ];
  return shown.flatMap(({ path, method }) =>
    countsMethod(scope, method)
      ? []
      : [{ path, message: `is by ${method}, and its scope counts ${methods?.join(', ')}` }],
  );
}

/** Requests that cost more than the least of the limits of their scope, and of the one within which it lies: none of them would ever pass. */
function tooDear(scope: ScopeSaid, outer: ScopeSaid | undefined): readonly Contradiction[] {
  const limits = [scope, outer].flatMap((one) => (one === undefined ? [] : [one, ...(one.also ?? [])]));
  const least = Math.min(...limits.map(atOnceOf));
  const message = `is above the limit of ${least}: no such request would ever pass`;
  const costs = [
    { path: ['cost'], cost: scope.cost },
    ...(scope.others ?? []).map(({ cost }, at) => ({ path: ['others', at, 'cost'], cost })),
  ];
  return costs.flatMap(({ path, cost }) => (cost !== undefined && cost > least ? [{ path, message }] : []));
}

/** How many units pass at once. */
function atOnceOf(limit: { readonly promise?: PromiseSetting | undefined; readonly limit: number }): number {
  const promise = promiseOf(limit);
  return promise.kind === 'token-bucket' ? promise.size : limit.limit;
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
