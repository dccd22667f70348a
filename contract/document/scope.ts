import { z } from 'zod';
import { requestTemplateSchema } from '../request-template.ts';
import { costSchema, otherRequestSchema } from './cost.ts';
import { waysOfCounting } from './counted-by.ts';
import { methodsSchema, pathsSchema } from './counting.ts';
import { furtherLimitSchema, furtherMax } from './further-limit.ts';
import { headersSchema } from './headers.ts';
import { promiseSchema } from './promise.ts';

/** Names that mean something else where requests are named by their scope. */
const taken = ['messagesSubpath', 'otherError'];

/** What a scope may be called: clauses and settings go by it. */
export const scopeNameSchema = z
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
export const scopeSchema = z.strictObject({
  /** What is limited, as it stands in a sentence: "120 a minute on standard routes". */
  title: z.string().min(1).max(80),
  /** So many pass in a window, for each key. */
  limit: z.int().min(1).max(1_000_000),
  /** The window of this limit, where it is not the document's. */
  windowSeconds: z.number().min(1).max(3_600).optional(),
  /** What kind of limit it is; left out: a rolling window. */
  promise: promiseSchema.optional(),
  /** Limits that a request has to pass besides; what answers say is of the first, or of any. */
  also: z.array(furtherLimitSchema).min(1).max(furtherMax).optional(),
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

/** What a document says of a scope. */
export type ScopeSaid = z.infer<typeof scopeSchema>;
