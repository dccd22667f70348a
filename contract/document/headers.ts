import { z } from 'zod';
import { didYouMean } from '../nearest.ts';
import { once } from '../once.ts';
import { type Outcome, outcomes } from '../outcome.ts';
import { type RateLimitHeader, rateLimitHeaderNames } from '../rate-limit-headers.ts';
import { type ResetUnit, resetUnits } from '../reset-units.ts';

/** The name of a header. */
export const headerNameSchema = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9-]{0,59}$/, 'must be the name of a header: letters, digits and "-"');

/** The answers that carry headers: all to a key, those that were admitted, or those over the limit. */
const onSchema = z.enum(['all', 'admitted', 'limited']);

type On = z.infer<typeof onSchema>;

/** What a value is called in a header that says several: `total=100; remaining=99`, or a JSON object. */
const keySchema = z
  .string()
  .regex(/^[A-Za-z0-9_.*-]{1,60}$/, 'must be the key of a value: letters, digits, "_", ".", "*" and "-"');

const named = { name: headerNameSchema, key: keySchema.optional() };

/** The name of a header that is a number, or one whose value is the first number of a list, as in `100, 100;w=60`, or that of a key. */
const numberSchema = z.union(
  [headerNameSchema, z.strictObject({ ...named, as: z.literal('list').optional() }).superRefine(readOneWay)],
  { error: 'must be the name of a header, { name, as: list } or { name, key }' },
);

/**
 * The header of what remains, or of how many were used, by which it is told: by themselves, of what the header of the limit or
 * else the document says, or with the limit behind them, as in `32/40`. Numbers of further limits may follow, as in `32, 800`.
 */
const remainingSchema = z.union(
  [
    headerNameSchema,
    z
      .strictObject({ ...named, as: z.enum(['list', 'used', 'used-of-limit']).optional() })
      .superRefine(readOneWay),
  ],
  { error: 'must be the name of a header, { name, as: list | used | used-of-limit } or { name, key }' },
);

/** A value stands at a key or in a list; of a header that is a number, its name is enough. */
function readOneWay(
  { name, key, as }: Exclude<NumberHeader, string>,
  context: z.core.$RefinementCtx<unknown>,
): void {
  if (key !== undefined && as === 'list') {
    const message = 'cannot be list where the value stands at a key: leave out as, or key';
    context.addIssue({ code: 'custom', path: ['as'], message });
  }
  if (key === undefined && as === undefined)
    context.addIssue({
      code: 'custom',
      message: `says nothing but a name: write ${name}, or as or key beside it`,
    });
}

type NumberHeader =
  | string
  | { readonly name: string; readonly as?: As | undefined; readonly key?: string | undefined };
type As = 'list' | 'used' | 'used-of-limit';

/** How the value of the header of what remains is read. */
type RemainingForm = 'plain' | As;

function nameOf(header: NumberHeader | undefined): string | null {
  return typeof header === 'object' ? header.name : (header ?? null);
}

function smallName(header: NumberHeader): string | undefined {
  return nameOf(header)?.toLowerCase();
}

function keyOf(header: NumberHeader | undefined): string | null {
  return typeof header === 'object' ? (header.key ?? null) : null;
}

const resetWords = `must say how it is written, as { name: X-Reset, unit: seconds }: in one of ${resetUnits.join(', ')}`;

const namedSchema = z
  .strictObject({
    limit: numberSchema.optional(),
    remaining: remainingSchema.optional(),
    /** When the window resets, how its value is written, and on which answers, where not on those that carry the others. */
    reset: z
      .strictObject(
        {
          name: headerNameSchema,
          key: keySchema.optional(),
          unit: z.enum(resetUnits),
          on: onSchema.optional(),
        },
        { error: ({ code }) => (code === 'invalid_type' ? resetWords : undefined) },
      )
      .optional(),
    on: onSchema.default('all'),
  })
  .superRefine(({ limit, remaining, reset }, context) => {
    const message = flawOf([limit, remaining, reset].filter((header) => header !== undefined));
    if (message !== null) context.addIssue({ code: 'custom', message });
    if (formOf(remaining) === 'used-of-limit' && limit !== undefined) {
      const why = 'stands in the header of remaining too: leave it out, or write as: used there';
      context.addIssue({ code: 'custom', path: ['limit'], message: why });
    }
  });

/** One header may say several things, each by a key of its own. */
function flawOf(headers: readonly NumberHeader[]): string | null {
  if (headers.length === 0) return 'names no header: write "none" instead';
  for (const [at, one] of headers.entries()) {
    const same = headers.slice(0, at).filter((other) => smallName(other) === smallName(one));
    if (same.some((other) => keyOf(other) === null || keyOf(one) === null)) return 'names one header twice';
    if (same.some((other) => keyOf(other) === keyOf(one))) return 'names one key twice';
  }
  return null;
}

const styleNames = ['x-ratelimit', 'ietf', 'ietf-draft-7', 'ietf-triple', 'none'] as const;

/** What a document says of headers: a known style, or their names. */
export const headersSchema = z.union([z.enum(styleNames), namedSchema], {
  error: ({ input }) =>
    `must be one of ${styleNames.join(', ')}, or names of headers, as { limit: Quota, remaining: Quota-Left }` +
    (typeof input === 'string' ? didYouMean(input, styleNames) : ''),
});

export type Headers = z.infer<typeof headersSchema>;

/** The headers that a document promises. */
export type PromisedHeaders = {
  /** What sentences call them; `null` where one is not promised. */
  readonly names: Readonly<Record<RateLimitHeader, string | null>>;
  readonly unit: ResetUnit;
  /** The answers that carry each. */
  readonly on: Readonly<Record<RateLimitHeader, On>>;
};

const onAll = { limit: 'all', remaining: 'all', reset: 'all' } as const;

const styles: Readonly<Record<Exclude<Headers, object>, PromisedHeaders>> = {
  'x-ratelimit': { names: rateLimitHeaderNames, unit: 'epoch-seconds', on: onAll },
  // draft-ietf-httpapi-ratelimit-headers: RateLimit-Policy with q and w, RateLimit with r and t, of which t may be left out.
  ietf: {
    names: { limit: 'RateLimit-Policy', remaining: 'RateLimit', reset: null },
    unit: 'seconds',
    on: onAll,
  },
  // The same in its version 07: a dictionary. RateLimit-Policy may stand beside it.
  'ietf-draft-7': {
    names: {
      limit: 'RateLimit (limit)',
      remaining: 'RateLimit (remaining)',
      reset: 'RateLimit (reset)',
    },
    unit: 'seconds',
    on: onAll,
  },
  // The same up to its version 06.
  'ietf-triple': {
    names: { limit: 'RateLimit-Limit', remaining: 'RateLimit-Remaining', reset: 'RateLimit-Reset' },
    unit: 'seconds',
    on: onAll,
  },
  none: { names: { limit: null, remaining: null, reset: null }, unit: 'epoch-seconds', on: onAll },
};

type OfHeaders = { readonly headers: Headers };

function formOf(header: NumberHeader | undefined): RemainingForm {
  return typeof header === 'object' ? (header.as ?? 'plain') : 'plain';
}

/**
 * How the values of a document's headers are wrapped: as they are, in lists, by keys, with what was used in the place of what remains,
 * or in the structured fields of the IETF's drafts.
 */
export function styleOf(
  document: OfHeaders,
): 'plain' | 'listed' | 'keyed' | 'used' | 'ietf' | 'ietf-draft-7' {
  const { headers } = document;
  if (headers === 'ietf' || headers === 'ietf-draft-7') return headers;
  if (Object.values(keysOf(document)).some((key) => key !== null)) return 'keyed';
  if (countsUp(remainingFormOf(document))) return 'used';
  return listedIn(document).length === 0 ? 'plain' : 'listed';
}

/** The headers whose value is the first number of a list: the limit where the IETF's drafts up to version 06 are followed. */
export function listedIn({ headers }: OfHeaders): readonly ('limit' | 'remaining')[] {
  if (headers === 'ietf-triple') return ['limit'];
  if (typeof headers === 'string') return [];
  return (['limit', 'remaining'] as const).filter((header) => formOf(headers[header]) === 'list');
}

/** The keys of the values within headers that say several; `null` of a header that says one. */
export function keysOf({ headers }: OfHeaders): Readonly<Record<RateLimitHeader, string | null>> {
  if (typeof headers === 'string') return { limit: null, remaining: null, reset: null };
  const { limit, remaining, reset } = headers;
  const isOfBoth = formOf(remaining) === 'used-of-limit';
  return {
    limit: keyOf(isOfBoth ? remaining : limit),
    remaining: keyOf(remaining),
    reset: reset?.key ?? null,
  };
}

/** Whether what remains is told by how many were used. */
export function countsUp(form: RemainingForm): form is 'used' | 'used-of-limit' {
  return form === 'used' || form === 'used-of-limit';
}

/** How what remains is told. */
export function remainingFormOf({ headers }: OfHeaders): RemainingForm {
  return typeof headers === 'string' ? 'plain' : formOf(headers.remaining);
}

/** The promise of a document, whichever way it is written. */
export function promisedHeaders({ headers }: OfHeaders): PromisedHeaders {
  if (typeof headers === 'string') return styles[headers];
  const { reset, on } = headers;
  const names = namesIn(headers);
  const keys = keysOf({ headers });
  const form = formOf(headers.remaining);
  const told = (header: RateLimitHeader, key = keys[header]): string | null =>
    key === null ? names[header] : `${names[header]} (${key})`;
  return {
    names: {
      limit: told('limit', form === 'used-of-limit' ? 'limit' : keys.limit),
      remaining: told('remaining', countsUp(form) ? 'remaining' : keys.remaining),
      reset: told('reset'),
    },
    unit: reset?.unit ?? 'epoch-seconds',
    on: { limit: on, remaining: on, reset: reset?.on ?? on },
  };
}

/** The names of the headers themselves, one of which may say two things. */
function namesIn({ limit, remaining, reset }: Exclude<Headers, string>): PromisedHeaders['names'] {
  const name = nameOf(remaining);
  return {
    limit: formOf(remaining) === 'used-of-limit' ? name : nameOf(limit),
    remaining: name,
    reset: reset?.name ?? null,
  };
}

/** Whether a header is promised on answers of such an outcome. */
export function isPromisedOn(
  header: RateLimitHeader,
  outcome: Outcome,
  { names, on }: PromisedHeaders,
): boolean {
  return names[header] !== null && (on[header] === 'all' || on[header] === outcome);
}

/** Whether any of them is: asked of each answer of a trace. */
export function isAnyPromisedOn(outcome: Outcome, promised: PromisedHeaders): boolean {
  return outcomesOf(promised).has(outcome);
}

/** The outcomes of answers on which any header is promised. */
const outcomesOf = once(
  (promised: PromisedHeaders): ReadonlySet<Outcome> =>
    new Set(outcomes.filter((outcome) => headers.some((header) => isPromisedOn(header, outcome, promised)))),
);

/** The headers that a driver records; the usual ones where nothing is promised, since they are evidence all the same. */
export function recordedNames(document: OfHeaders): PromisedHeaders['names'] {
  const { headers } = document;
  if (typeof headers === 'object') return namesIn(headers);
  switch (headers) {
    case 'none':
      return rateLimitHeaderNames;
    case 'ietf-draft-7':
      return { limit: 'RateLimit', remaining: 'RateLimit', reset: 'RateLimit' };
    default:
      return promisedHeaders(document).names;
  }
}

/** A sentence about the usual headers, with the names of a document in their place. */
export function inNames(text: string, { names }: Pick<PromisedHeaders, 'names'>): string {
  return headers.reduce(
    (told, header) =>
      told.replaceAll(rateLimitHeaderNames[header], names[header] ?? rateLimitHeaderNames[header]),
    text,
  );
}

const headers = Object.keys(rateLimitHeaderNames) as readonly RateLimitHeader[];
