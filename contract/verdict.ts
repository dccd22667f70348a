import { z } from 'zod';
import { credentials } from './exchange.ts';

/** One exchange, as evidence quotes it. Times in ms relative to the first quoted exchange. */
export const quotedExchangeSchema = z.object({
  requestId: z.string(),
  purpose: z.string(),
  method: z.string(),
  path: z.string(),
  scope: z.string(),
  key: z.string().nullable(),
  /** What was sent as the key, where that is known. */
  credential: z.enum(credentials).optional(),
  sentMs: z.number(),
  receivedMs: z.number().nullable(),
  status: z.int().nullable(),
  limit: z.string().nullable(),
  remaining: z.string().nullable(),
  reset: z.string().nullable(),
  /** Retry-After, or what the document calls it; left out where there was none. */
  retryAfter: z.string().nullable().optional(),
  body: z.string().nullable(),
});

export type QuotedExchange = z.infer<typeof quotedExchangeSchema>;

/** The worst of a deviation of the count, which the smallest proof does not show. */
export const damageSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('admitted'),
    /** The most that were certainly admitted inside one window, and the least time in which so many were. */
    most: z.int(),
    withinMs: z.number(),
    limit: z.int(),
  }),
  z.object({
    kind: z.literal('refused'),
    /** 429s with room for the request, and the fewest requests that can have been in the window before one. */
    refusals: z.int(),
    fewestBefore: z.int(),
    limit: z.int(),
  }),
]);

export type Damage = z.infer<typeof damageSchema>;

/** What proves a violation: what was promised, what was seen, and the exchanges that show it. */
export const evidenceSchema = z.object({
  expected: z.string(),
  observed: z.string(),
  /** The decisive exchanges, at most `quotedMax` of them: first, last and the extremes. */
  exchanges: z.array(quotedExchangeSchema),
  /** How many exchanges show the same. */
  exchangesTotal: z.int().min(0),
  damage: damageSchema.optional(),
});

export type Evidence = z.infer<typeof evidenceSchema>;

export const quotedMax = 8;

export const verdictSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('held'), summary: z.string() }),
  z.object({
    kind: z.literal('violated'),
    /** The kind of deviation, from a stable list of words: "over-admission", "missing-on-429". */
    reason: z.string(),
    evidence: evidenceSchema,
  }),
  z.object({
    kind: z.literal('inconclusive'),
    reason: z.string(),
    /** Ids of the violated clauses because of which this one cannot be judged; empty where there is another reason. */
    because: z.array(z.string()),
    /** Present where the settings of the run leave out what would show it: another run with them shows no more. */
    openBy: z.literal('settings').optional(),
  }),
  z.object({ kind: z.literal('observed'), value: z.string() }),
  z.object({ kind: z.literal('not-applicable'), reason: z.string() }),
]);

export type Verdict = z.infer<typeof verdictSchema>;

export const held = (summary: string): Verdict => ({ kind: 'held', summary });
export const violated = (reason: string, evidence: Evidence): Verdict => ({
  kind: 'violated',
  reason,
  evidence,
});
export const inconclusive = (reason: string, because: readonly string[] = []): Verdict => ({
  kind: 'inconclusive',
  reason,
  because: [...because],
});
/** Open because of what a run was not given. @param lacking what that is, and how to give it. */
export const notRun = (lacking: string): Verdict => ({
  kind: 'inconclusive',
  reason: `not run: ${lacking}`,
  because: [],
  openBy: 'settings',
});
export const observed = (value: string): Verdict => ({ kind: 'observed', value });
export const notApplicable = (reason: string): Verdict => ({ kind: 'not-applicable', reason });

const strength: Readonly<Record<Verdict['kind'], number>> = {
  violated: 4,
  inconclusive: 3,
  held: 2,
  observed: 1,
  'not-applicable': 0,
};

/**
 * One verdict from several on the same clause (one for each key and scope): violated > inconclusive > held > observed >
 * not applicable. The texts of parts of the same kind are joined, each text once.
 * @throws where there is nothing to compose: no judgement at all is an error, never a pass.
 */
export function compose(parts: readonly Verdict[]): Verdict {
  const [first, ...others] = parts;
  if (first === undefined) throw new Error('no verdict to compose: nothing was judged');
  const strongest = others.reduce(
    (best, part) => (strength[part.kind] > strength[best.kind] ? part : best),
    first,
  );
  return joined(strongest, parts);
}

/** The first of the strongest parts, with the texts of all that are of its kind. A violation keeps its first evidence. */
function joined(first: Verdict, parts: readonly Verdict[]): Verdict {
  switch (first.kind) {
    case 'held':
      return held(joinedText(parts.filter((part) => part.kind === 'held').map(({ summary }) => summary)));
    case 'observed':
      return observed(joinedText(parts.filter((part) => part.kind === 'observed').map(({ value }) => value)));
    case 'inconclusive': {
      const open = parts.filter((part) => part.kind === 'inconclusive');
      const because = new Set(open.flatMap((part) => part.because));
      return inconclusive(joinedText(open.map(({ reason }) => reason)), [...because]);
    }
    default:
      return first;
  }
}

/** Each text once, and none that is a part of those before it. */
function joinedText(texts: readonly string[]): string {
  const said = new Set<string>();
  const kept = texts.filter((text) => {
    if (said.has(text)) return false;
    for (const part of [text, ...text.split('; ')]) said.add(part);
    return true;
  });
  return kept.join('; ');
}
