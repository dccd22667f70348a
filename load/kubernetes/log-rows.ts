import { type ByteRow, byteRows, textOf } from '../../contract/byte-rows.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { ExchangeRows } from '../../contract/exchange-rows.ts';
import { storedLineSchema } from '../../contract/long-trace.ts';
import { readLine } from '../../contract/ndjson.ts';
import type { TraceHeader } from '../../contract/trace-header.ts';
import type { ClockLine } from '../../contract/trace-lines.ts';

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

  constructor({ runId, clocks }: Pick<TraceHeader, 'runId' | 'clocks'>) {
    this.#runId = runId;
    this.#clocks = new Set(clocks.map(({ id }) => id));
  }

  /** @throws {CollectError} where an exchange has the clock or the run id of another run, or its request was sent once more. */
  read(log: Log): void {
    for (const row of byteRows(log)) {
      const from = placeIn(row);
      const found = from === -1 ? row : { bytes: row.bytes, from, to: row.to, isEnded: row.isEnded };
      // Asked about each row, as it has to be.
      if (!this.#takeBytes(found) && from !== -1) this.#take(textOf(found));
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
    const at = this.#rows.takeBytes(row, noLine);
    if (at !== -1) this.#check(this.#rows.store.exchangeAt(at));
    return at !== -1;
  }

  #take(text: string): void {
    const read = readLine(text, storedLineSchema);
    if (read.kind === 'read') {
      if (read.line.kind === 'exchange') this.#answer(read.line, text);
      else if (read.line.kind === 'clock') this.#look(read.line);
    } else if (text.startsWith(exchangeMarker)) {
      // No look at a clock has to be whole: the others say as much.
      this.broken += 1;
    }
  }

  #answer(exchange: Exchange, text: string): void {
    this.#check(exchange);
    if (this.#rows.take(exchange, { text, line: noLine }).kind === 'differs')
      throw new CollectError(
        `Request ${exchange.requestId} stands in the logs twice, with different answers: they are of several runs of one ` +
          'manifest. Write a new manifest, apply it once, and collect its logs alone',
      );
  }

  #look(look: ClockLine): void {
    if (this.#clocks.has(look.clock)) this.#looks.set(`${look.clock} ${look.monotonicMs}`, look);
  }

  #check({ requestId, clock }: Exchange): void {
    if (this.#clocks.has(clock) && requestId.startsWith(this.#runId)) return;
    throw new CollectError(
      `The logs do not belong to the manifest: request ${requestId} of ${clock} belongs to another run`,
    );
  }
}

/** No message names a line of a log. */
const noLine = 0;

const exchangeMarker = '{"kind":"exchange",';
const markers = [exchangeMarker, '{"kind":"clock",'].map((marker) => Buffer.from(marker));

/** Where in a row one of our lines begins; -1 where none does. */
function placeIn({ bytes, from, to }: ByteRow): number {
  const row = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from);
  for (const marker of markers) {
    const at = row.indexOf(marker);
    if (at !== -1) return from + at;
  }
  return -1;
}
