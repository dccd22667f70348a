import type { z } from 'zod';
import { misfitOf, plainWords } from './plain-words.ts';

/** The kinds of trace by the `kind` of their first line: what each one judges, and what messages call it. */
const headers = {
  trace: { judges: 'deployment', called: 'a trace' },
  'webhook-trace': { judges: 'capture', called: 'a trace of deliveries' },
  'webhook-drive': { judges: 'drive', called: 'a driven receiver’s trace' },
  'client-trace': { judges: 'client', called: 'a trace of a client' },
} as const;

type HeaderKind = keyof typeof headers;

/** What a trace is of: a deployment, captured webhooks, a driven receiver of webhooks, or a client. */
export type TraceKind = (typeof headers)[HeaderKind]['judges'];

/** What a text is a trace of, by its beginning; `null` where it begins like none. */
export function kindOfTrace(text: string): TraceKind | null {
  const kind = /^\s*\{\s*"kind"\s*:\s*"([a-z-]+)"/.exec(text)?.[1];
  return kind !== undefined && Object.hasOwn(headers, kind) ? headers[kind as HeaderKind].judges : null;
}

/** A trace that cannot be read: says which line, and what is wrong with it. */
export class TraceError extends Error {
  override readonly name = 'TraceError';

  constructor(line: number, what: string) {
    super(`line ${line} ${what}`);
  }
}

/** One line of NDJSON, with its line break. */
export function formatLine<Line extends { readonly kind: string }>(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}

/** What tells whether a value is a line: a schema, or what finds the same in less time. */
export type LineSchema<Line> = Pick<z.ZodType<Line>, 'safeParse'>;

/** A text, or its rows one after another without their line breaks: the last is what follows the last line break. */
export type Rows = string | Iterable<string>;

/**
 * The lines of a trace. What follows the last line break is read where it is whole, and dropped where a run that died
 * cut it off: no beginning of a JSON object is JSON itself.
 * @throws {TraceError} naming the line and what is wrong with it.
 */
export function* readLines<Line>(rows: Rows, schema: LineSchema<Line>): Generator<Line> {
  let number = 0;
  let held: string | null = null;
  for (const row of typeof rows === 'string' ? rowsIn(rows) : rows) {
    if (held !== null) {
      const read = readLine(held, schema);
      if (read.kind === 'wrong') throw new TraceError(number, read.what);
      yield read.line;
    }
    held = row;
    number += 1;
  }
  if (held === null || held === '') return;
  const last = readLine(held, schema);
  if (last.kind === 'read') yield last.line;
  else if (number === 1) throw new TraceError(1, 'is not a whole line');
}

function* rowsIn(text: string): Generator<string> {
  let from = 0;
  for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
    yield text.slice(from, to);
    from = to + 1;
  }
  yield text.slice(from);
}

type Read<Line> =
  | { readonly kind: 'read'; readonly line: Line }
  | { readonly kind: 'wrong'; readonly what: string };

/** A row, as the line that it is. */
export function readLine<Line>(row: string, schema: LineSchema<Line>): Read<Line> {
  let value: unknown;
  try {
    value = JSON.parse(row);
  } catch {
    return { kind: 'wrong', what: 'is not JSON' };
  }
  const parsed = schema.safeParse(value, plainly);
  return parsed.success
    ? { kind: 'read', line: parsed.data }
    : { kind: 'wrong', what: `does not fit the schema: ${misfitOf(parsed.error)}` };
}

const plainly = plainWords();

/**
 * The header and what follows it, of lines in the order of writing.
 * @throws {TraceError} where the first line is no header of that kind, or a second one follows.
 */
export function splitHeader<Line extends { readonly kind: string }, Kind extends HeaderKind>(
  lines: Iterable<Line>,
  kind: Kind,
) {
  const isHeader = (line: Line): line is Extract<Line, { kind: Kind }> => line.kind === kind;
  const [header, ...rest] = lines;
  if (header === undefined || !isHeader(header)) throw noHeader(kind);
  const isOther = (line: Line): line is Exclude<Line, { kind: Kind }> => !isHeader(line);
  if (rest.every(isOther)) return { header, rest };
  throw secondHeader(rest.findIndex(isHeader) + 2);
}

export function noHeader(kind: HeaderKind): TraceError {
  return new TraceError(1, `is not the header of ${headers[kind].called} (kind "${kind}")`);
}

export function secondHeader(line: number): TraceError {
  return new TraceError(line, 'is a second header: two traces in one file');
}
