import { parseTrace as parsed, type Trace } from '../../contract/trace.ts';

/**
 * A trace from the text of its file, or from its rows without their line breaks.
 * @throws {TraceError} naming the line that is wrong, and what is wrong with it.
 * @throws {TypeError} where it gets neither.
 */
export function parseTrace(rows: string | Iterable<string>): Trace {
  if (typeof rows !== 'string' && (ArrayBuffer.isView(rows) || !isIterable(rows)))
    throw new TypeError("parseTrace takes the text of a trace, as readFileSync(path, 'utf8') gives it.");
  return parsed(rows);
}

function isIterable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
