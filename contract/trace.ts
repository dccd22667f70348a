import { z } from 'zod';
import { contradictionIn, contradictionsTo } from './contradictions.ts';
import { deploymentSchema } from './deployment.ts';
import { furtherIn, scopesOf, windowShareOf } from './document/document.ts';
import { probedWindowMsMax } from './document/further-limit.ts';
import { type Exchange, exchangeSchema } from './exchange.ts';
import { greatestOf } from './extremes.ts';
import { fitsExchange, inOrder } from './fits-exchange.ts';
import { formatLine, type LineSchema, type Rows, readLines, splitHeader, TraceError } from './ndjson.ts';
import type { Scope } from './scopes.ts';
import { shownDeployment } from './secret/secret-names.ts';
import { type Announced, begunLineSchema, sentLineSchema, withoutAnswerOf } from './sent.ts';
import { whyUnknownRequests } from './unknown-requests.ts';

/** Raised whenever a reader of today could misread a trace of another version. */
export const traceSchemaVersion = 1;

const clockSchema = z.object({
  id: z.string(),
  /** A monotonic clock never steps; a wall clock may. */
  kind: z.enum(['monotonic', 'wall']),
  /** How far this clock may be off the trace's first clock, ms: 0 for the first. */
  offsetMsMax: z.number().min(0),
  /** Of a wall clock that times requests alone: whose clock lines compare it with a monotonic clock of its machine. */
  tiedBy: z.string().optional(),
});

/** First line of a trace: everything that a judge needs besides the exchanges. Holds no secret. */
export const traceHeaderSchema = z.object({
  kind: z.literal('trace'),
  schemaVersion: z.literal(traceSchemaVersion),
  tool: z.object({ name: z.string(), version: z.string() }),
  runId: z.string(),
  startedAt: z.iso.datetime(),
  /** `full` saturates every scope; `light` saturates nothing; `load` holds k6 scenarios alone. */
  mode: z.enum(['full', 'light', 'load']),
  windowMs: z.number().positive(),
  limits: z.record(z.string(), z.int().positive()),
  deployment: deploymentSchema,
  /** Aliases of the keys in use, in the order of the deployment's `keyEnv`. */
  keys: z.array(z.string()),
  clocks: z.array(clockSchema).min(1),
  plan: z.object({
    requestsMax: z.int().min(0),
    peakRequestsPerSecond: z.number().min(0),
    seconds: z.number().min(0),
    /** What a run that did not announce itself drew its gaps, sizes and order from; absent in one that did. */
    unannouncedSeed: z.int().min(0).optional(),
  }),
  /**
   * There where the trace is of an identification, which asks any endpoint and knows of no document: the limit and the
   * window that were expected.
   */
  expected: z
    .object({ limit: z.int().positive().nullable(), windowMs: z.number().positive().nullable() })
    .optional(),
});

export type TraceHeader = z.infer<typeof traceHeaderSchema>;

/** How long the window of a scope is, ms: the trace's, where the document gives the scope none of its own. */
export function windowMsIn(
  { windowMs, deployment }: Pick<TraceHeader, 'windowMs' | 'deployment'>,
  scope: Scope,
): number {
  return windowMs * windowShareOf(deployment.document, scope);
}

/** In what one header differs from another. */
export type HeaderFacts = Readonly<
  Pick<TraceHeader, 'tool' | 'runId' | 'mode' | 'limits' | 'deployment' | 'clocks' | 'plan' | 'expected'>
> & {
  /** ms since the Unix epoch. */
  readonly startedAtMs: number;
  readonly keys: readonly string[];
};

/** The first line of a trace. */
export function traceHeader({ startedAtMs, keys, deployment, plan, ...facts }: HeaderFacts): TraceHeader {
  const { requestsMax, peakRequestsPerSecond, seconds, unannouncedSeed } = plan;
  return {
    kind: 'trace',
    schemaVersion: traceSchemaVersion,
    tool: facts.tool,
    runId: facts.runId,
    startedAt: new Date(startedAtMs).toISOString(),
    mode: facts.mode,
    windowMs: deployment.windowSeconds * 1_000,
    limits: facts.limits,
    deployment: shownDeployment(deployment),
    keys: [...keys],
    clocks: facts.clocks,
    plan: {
      requestsMax,
      peakRequestsPerSecond,
      seconds,
      ...(unannouncedSeed === undefined ? {} : { unannouncedSeed }),
    },
    ...(facts.expected === undefined ? {} : { expected: facts.expected }),
  };
}

/** The longest window of any limit, ms. */
export function longestWindowMsIn(header: Pick<TraceHeader, 'windowMs' | 'deployment'>): number {
  const { document } = header.deployment;
  const scale = header.windowMs / document.windowSeconds;
  return greatestOf(
    scopesOf(document).flatMap((scope) => [
      windowMsIn(header, scope),
      ...furtherIn(document, scope).map(({ wholeSeconds }) => wholeSeconds * scale),
    ]),
  );
}

/** How long a refused client may have to wait in a run at most, ms: for as long as the longest window, or as the document says itself. */
export function longestWaitMsIn(header: Pick<TraceHeader, 'windowMs' | 'deployment'>): number {
  const { waitSeconds = 0 } = header.deployment.document.refusal ?? {};
  return Math.max(longestWindowMsIn(header), 1_000 * waitSeconds);
}

/** The longest window that a run fills, ms. */
export function longestProbedMsIn(header: Pick<TraceHeader, 'windowMs' | 'deployment'>): number {
  const { document } = header.deployment;
  const scale = header.windowMs / document.windowSeconds;
  return greatestOf(
    scopesOf(document).flatMap((scope) => [
      windowMsIn(header, scope),
      ...furtherIn(document, scope)
        .map(({ wholeSeconds }) => wholeSeconds * scale)
        .filter((ms) => ms <= probedWindowMsMax),
    ]),
  );
}

/** One scenario of the load suite: whether it ran, and what k6 itself says about it. */
export const loadLineSchema = z.object({
  kind: z.literal('load'),
  scenario: z.string(),
  state: z.enum(['complete', 'incomplete', 'not-run']),
  /** Why it is not complete, and what to do; `null` where it is. */
  reason: z.string().nullable(),
  key: z.string().nullable(),
  scope: z.string(),
  requestsSent: z.int().min(0).nullable(),
});

export type LoadLine = z.infer<typeof loadLineSchema>;

/** A scenario that was wanted of all of them, but that these settings make impossible. */
const leftOutLineSchema = z.object({
  kind: z.literal('left-out'),
  scenario: z.string(),
  /** Why, and what to set. */
  reason: z.string(),
});

export type LeftOutLine = z.infer<typeof leftOutLineSchema>;

/**
 * One look at both clocks of a machine at once, ms: written at the start and the end of what a wall clock alone times,
 * and around every moment at which the two moved apart.
 */
export const clockLineSchema = z.object({
  kind: z.literal('clock'),
  /** Id of the monotonic clock. */
  clock: z.string(),
  monotonicMs: z.number(),
  wallMs: z.number(),
});

export type ClockLine = z.infer<typeof clockLineSchema>;

/** Something that happened beside the exchanges, e.g. "waited 41 s: the key was in use". */
export const noteLineSchema = z.object({ kind: z.literal('note'), atMs: z.number(), text: z.string() });

export type NoteLine = z.infer<typeof noteLineSchema>;

/** Last line of a trace that was written to its end. A trace without one belongs to a run that died. */
export const endLineSchema = z.object({
  kind: z.literal('end'),
  endedAt: z.iso.datetime(),
  complete: z.boolean(),
  /** Why the run stopped early; `null` where it did not. */
  reason: z.string().nullable(),
  /** There where the target was never seen to be the API, or to take the keys: then nothing it said is evidence. */
  stoppedBy: z.literal('preflight').optional(),
});

export type EndLine = z.infer<typeof endLineSchema>;

export const traceLineSchema = z.discriminatedUnion('kind', [
  traceHeaderSchema,
  sentLineSchema,
  exchangeSchema,
  begunLineSchema,
  loadLineSchema,
  leftOutLineSchema,
  clockLineSchema,
  noteLineSchema,
  endLineSchema,
]);

export type TraceLine = z.infer<typeof traceLineSchema>;

/** What the schema makes of a line. Nearly all are exchanges that fit, which are told without its list of issues. */
const lineSchema: LineSchema<TraceLine> = {
  safeParse: (value) =>
    fitsExchange(value) ? { success: true, data: inOrder(value) } : traceLineSchema.safeParse(value),
};

export type Trace = {
  readonly header: TraceHeader;
  /** Each request once; those that were in flight when the run died are among them, without an answer. */
  readonly exchanges: readonly Exchange[];
  readonly loads: readonly LoadLine[];
  /** Absent where nothing was left out. */
  readonly leftOut?: readonly LeftOutLine[];
  /** Absent where no wall clock stands alone. */
  readonly clockLines?: readonly ClockLine[];
  readonly notes: readonly NoteLine[];
  /** `null` where the run died before it could write its last line. */
  readonly end: EndLine | null;
  /** Why requests may have been sent of which nothing is known; absent where the trace has them all. */
  readonly unknownRequests?: string;
};

/**
 * A trace from its text or its rows.
 * @throws {TraceError} naming the line and what is wrong with it.
 */
export function parseTrace(rows: Rows): Trace {
  return assembleTrace(readLines(rows, lineSchema));
}

/**
 * A trace from its lines in the order of writing. A line that stands there twice counts once.
 * @throws {TraceError} where the header is missing or doubled, or two exchanges of one request differ.
 */
export function assembleTrace(lines: Iterable<TraceLine>): Trace {
  const { header, rest } = splitHeader(lines, 'trace');
  const exchanges: Exchange[] = [];
  const sent: Announced[] = [];
  const others: LineAfterHeader[] = [];
  const ids = new Set<string>();
  let repeated = 0;
  rest.forEach((line, at) => {
    // Lines are counted from 1, and the header is the first.
    if (line.kind === 'sent')
      sent.push(...line.requests.map((request) => ({ line, request, number: at + 2 })));
    else if (isRepeated(rest, at, ids)) repeated += 1;
    else if (line.kind === 'exchange') exchanges.push(line);
    else others.push(line);
  });
  return traceOf({
    ...{ header, exchanges, others, repeated },
    unanswered: sent.filter(({ request }) => !ids.has(request.requestId)),
    announced: () => new Set(sent.map(({ request }) => request.requestId)),
    lineOf: (at) => rest.indexOf(exchanges[at] as Exchange) + 2,
  });
}

/** What the lines of a trace are, once each of them was read. */
export type Assembled = {
  readonly header: TraceHeader;
  readonly exchanges: readonly Exchange[];
  /** Requests that were in flight when the run died. */
  readonly unanswered: readonly Announced[];
  /** Ids of requests that were announced; asked for where the trace has no end. */
  readonly announced: () => Pick<ReadonlySet<string>, 'has'>;
  /** All other lines, in their order; those of exchanges may be among them. */
  readonly others: readonly LineAfterHeader[];
  /** Lines that stood there once more. */
  readonly repeated: number;
  /** The line of an exchange by its place among them. */
  readonly lineOf: (at: number) => number;
};

/**
 * A trace from what its lines are.
 * @throws {TraceError} where one of them contradicts itself, or the header.
 */
export function traceOf(lines: Assembled): Trace {
  const { header, announced, others, repeated } = lines;
  const unanswered = lines.unanswered.map(withoutAnswerOf);
  const exchanges = unanswered.length === 0 ? lines.exchanges : [...lines.exchanges, ...unanswered];
  refuseContradictions(exchanges, lines);
  const begun = others.filter((line) => line.kind === 'begun');
  const leftOut = others.filter((line) => line.kind === 'left-out');
  const clockLines = others.filter((line) => line.kind === 'clock');
  const loads = others.filter((line) => line.kind === 'load');
  const notes = others.filter((line) => line.kind === 'note');
  const end = others.findLast((line) => line.kind === 'end') ?? null;
  const why = whyUnknownRequests({
    exchanges: lines.exchanges,
    announced,
    begun,
    loads,
    isWhole: end !== null,
  });
  return {
    header,
    exchanges,
    loads,
    ...(leftOut.length > 0 && { leftOut }),
    ...(clockLines.length > 0 && { clockLines }),
    notes: repeated === 0 ? notes : [repeatedNote(header, repeated), ...notes],
    end,
    ...(why === null ? {} : { unknownRequests: why }),
  };
}

function refuseContradictions(all: readonly Exchange[], lines: Assembled): void {
  const { header, exchanges, unanswered, lineOf } = lines;
  const inHeader = contradictionIn(header);
  if (inHeader !== null) throw new TraceError(1, inHeader);
  const contradictionOf = contradictionsTo(header);
  for (const [at, exchange] of all.entries()) {
    const what = contradictionOf(exchange);
    if (what !== null) throw new TraceError(unanswered[at - exchanges.length]?.number ?? lineOf(at), what);
  }
}

/** The text of a trace, line by line, which `parseTrace` reads again. */
export function formatTrace({ header, exchanges, loads, leftOut, clockLines, notes, end }: Trace): string {
  const lines: readonly TraceLine[] = [
    header,
    ...notes,
    ...(clockLines ?? []),
    ...exchanges,
    ...(leftOut ?? []),
    ...loads,
    ...(end === null ? [] : [end]),
  ];
  return lines.map(formatLine).join('');
}

export type LineAfterHeader = Exclude<TraceLine, TraceHeader>;

/** Two lines of one request that say different things. */
export function differs(one: {
  readonly id: string;
  readonly number: number;
  readonly before: number;
}): TraceError {
  return new TraceError(one.number, `has another exchange of request ${one.id} than line ${one.before}`);
}

/**
 * Whether a line stands there once more: it would be counted twice, and look like one request too many.
 * @param ids of the lines before it; its own is put beside them.
 */
function isRepeated(lines: readonly LineAfterHeader[], at: number, ids: Set<string>): boolean {
  const line = lines[at] as LineAfterHeader;
  const id = idOf(line);
  if (id === null) return false;
  const { size } = ids;
  ids.add(id);
  if (ids.size > size) return false;
  const before = lines.findIndex((other) => idOf(other) === id);
  if (JSON.stringify(lines[before]) !== JSON.stringify(line))
    // Lines are counted from 1, and the header is the first.
    throw differs({ id, number: at + 2, before: before + 2 });
  return true;
}

/** What tells a line from others; `null` of those that may stand in a trace several times. */
function idOf(line: LineAfterHeader): string | null {
  if (line.kind === 'exchange') return line.requestId;
  return line.kind === 'load' ? `load ${JSON.stringify(line)}` : null;
}

/** What a reader is told of exchanges, or of scenarios, that stood in a trace more than once. */
export function repeatedNote({ startedAt }: TraceHeader, repeated: number): NoteLine {
  const text =
    repeated === 1
      ? '1 line stands in the trace twice; it counts once'
      : `${repeated} lines stand in the trace twice; each counts once`;
  return { kind: 'note', atMs: Date.parse(startedAt), text };
}
