import { type ByteRow, byteRows, textOf } from '../../contract/byte-rows.ts';
import { type Exchange, exchangeSchema } from '../../contract/exchange.ts';
import { ExchangeRows } from '../../contract/exchange-rows.ts';
import { fitsExchange } from '../../contract/fits-exchange.ts';
import type { TraceHeader } from '../../contract/trace-header.ts';
import { type ClockLine, clockLineSchema } from '../../contract/trace-lines.ts';

/** The bytes of a file, some at a time: asking for the next may overwrite them. */
export type Log = Iterable<Uint8Array>;

/** Logs that do not belong to the manifest, or to several runs of it. */
export class CollectError extends Error {
  override readonly name = 'CollectError';
}

/**
 * What stands in the logs of pods: read row by row, and exchanges held as columns, since a night of many pods has a million.
 * Other rows, and what a log collector put before a line, are passed over. A line that was collected twice counts once.
 */
export class LogRows {
  /** The number of lines that were cut off. */
  broken = 0;
  readonly #rows = new ExchangeRows();
  readonly #looks = new Map<string, ClockLine>();
  readonly #runId: string;
  readonly #clocks: ReadonlySet<string>;
  #line = 0;

  constructor({ runId, clocks }: Pick<TraceHeader, 'runId' | 'clocks'>) {
    this.#runId = runId;
    this.#clocks = new Set(clocks.map(({ id }) => id));
  }

  /** @throws {CollectError} where an exchange has the clock or the run id of another run, or its request was sent once more. */
  read(log: Log): void {
    for (const row of byteRows(log)) {
      this.#line += 1;
      const from = placeIn(row, exchangeMarker);
      const found = from === -1 ? row : { ...row, from };
      // Asked about each row, as it has to be.
      if (this.#takeBytes(found)) continue;
      if (from === -1) this.#takeLook(row);
      else this.#takeExchange(textOf(found));
    }
  }

  /** In the order in which they were read. */
  exchanges(): readonly Exchange[] {
    return this.#rows.store.toArray();
  }

  /** What the run's pods saw of their clocks, each look once. */
  looks(): readonly ClockLine[] {
    return [...this.#looks.values()];
  }

  /** Whether the row is an exchange that could be read from its bytes, and is the first of its request. */
  #takeBytes(row: ByteRow): boolean {
    const at = this.#rows.takeBytes(row, this.#line);
    if (at !== -1) this.#check(this.#rows.store.exchangeAt(at));
    return at !== -1;
  }

  #takeExchange(text: string): void {
    const exchange = exchangeIn(text);
    if (exchange === null) {
      this.broken += 1;
      return;
    }
    this.#check(exchange);
    if (this.#rows.take(exchange, { text, line: this.#line }).kind === 'differs')
      throw new CollectError(
        `Request ${exchange.requestId} stands in the logs twice, with different answers: they are of several runs of one ` +
          'manifest. Write a new manifest, apply it once, and collect its logs alone',
      );
  }

  #check({ requestId, clock }: Exchange): void {
    if (this.#clocks.has(clock) && requestId.startsWith(this.#runId)) return;
    throw new CollectError(
      `The logs do not belong to the manifest: request ${requestId} of ${clock} belongs to another run`,
    );
  }

  /** No look at a clock has to be whole: the others say as much. */
  #takeLook(row: ByteRow): void {
    const from = placeIn(row, clockMarker);
    const look = from === -1 ? null : clockLineSchema.safeParse(jsonIn(textOf({ ...row, from })));
    if (look?.success && this.#clocks.has(look.data.clock))
      this.#looks.set(`${look.data.clock} ${look.data.monotonicMs}`, look.data);
  }
}

const exchangeMarker = Buffer.from('{"kind":"exchange",');
const clockMarker = Buffer.from('{"kind":"clock",');

/** Where in the bytes of a row others begin; -1 where they do not stand in it. */
function placeIn({ bytes, from, to }: ByteRow, marker: Buffer): number {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).indexOf(marker);
  return at === -1 ? -1 : from + at;
}

function exchangeIn(text: string): Exchange | null {
  const value = jsonIn(text);
  if (fitsExchange(value)) return value;
  const parsed = exchangeSchema.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/** What a text is as JSON; `undefined` where it is none, which fits no schema. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
