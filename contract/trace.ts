import { contradictionIn, contradictionsTo } from './contradictions.ts';
import type { Exchange } from './exchange.ts';
import { fitsExchange, inOrder } from './fits-exchange.ts';
import { formatLine, type LineSchema, type Rows, readLines, splitHeader, TraceError } from './ndjson.ts';
import { type AnnouncedRequest, withoutAnswerOf } from './sent.ts';
import type { TraceHeader } from './trace-header.ts';
import {
  type ClockLine,
  type EndLine,
  type LeftOutLine,
  type LineAfterHeader,
  type LoadLine,
  type NoteLine,
  type TraceLine,
  traceLineSchema,
} from './trace-lines.ts';
import { whyUnknownRequests } from './unknown-requests.ts';

/** What the schema makes of a line. Nearly all are exchanges that fit, which are told without its list of issues. */
const lineSchema: LineSchema<TraceLine> = {
  safeParse: (value, words) =>
    fitsExchange(value) ? { success: true, data: inOrder(value) } : traceLineSchema.safeParse(value, words),
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
  const sent: AnnouncedRequest[] = [];
  const others: LineAfterHeader[] = [];
  const ids = new Set<string>();
  let repeated = 0;
  rest.forEach((line, at) => {
    // Lines are counted from 1, and the header is the first.
    if (line.kind === 'sent')
      for (const request of line.requests) sent.push({ line, request, number: at + 2 });
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
export type TraceParts = {
  readonly header: TraceHeader;
  readonly exchanges: readonly Exchange[];
  /** Requests that were in flight when the run died. */
  readonly unanswered: readonly AnnouncedRequest[];
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
export function traceOf(lines: TraceParts): Trace {
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

function refuseContradictions(all: readonly Exchange[], lines: TraceParts): void {
  const { header, exchanges, unanswered, lineOf } = lines;
  const inHeader = contradictionIn(header);
  if (inHeader !== null) throw new TraceError(1, inHeader);
  const contradictionOf = contradictionsTo(header);
  all.forEach((exchange, at) => {
    const what = contradictionOf(exchange);
    if (what !== null) throw new TraceError(unanswered[at - exchanges.length]?.number ?? lineOf(at), what);
  });
}

/** The text of a trace, line by line, which `parseTrace` reads again. */
export function formatTrace(trace: Trace): string {
  return [...traceTexts(trace)].join('');
}

/** Lines are put together until they have so many characters. */
const textLengthLeast = 1 << 16;

/** The same, some lines at a time: of many clients' exchanges it may be longer than a text can be. */
export function* traceTexts(trace: Trace): Generator<string> {
  let text = '';
  for (const line of linesOf(trace)) {
    text += formatLine(line);
    if (text.length < textLengthLeast) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

function* linesOf({
  header,
  exchanges,
  loads,
  leftOut,
  clockLines,
  notes,
  end,
}: Trace): Generator<TraceLine> {
  yield header;
  yield* notes;
  yield* clockLines ?? [];
  yield* exchanges;
  yield* leftOut ?? [];
  yield* loads;
  if (end !== null) yield end;
}

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
