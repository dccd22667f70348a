import type { Exchange } from './exchange.ts';
import { ExchangeStore, inOrder } from './exchange-store.ts';
import { fitsExchange } from './fits-exchange.ts';
import { type LineSchema, noHeader, type Rows, readLines, secondHeader, type TraceError } from './ndjson.ts';
import { type Request, type SentLine, withoutAnswerOf } from './sent.ts';
import {
  differs,
  type LineAfterHeader,
  type Trace,
  type TraceHeader,
  type TraceLine,
  traceLineSchema,
  traceOf,
} from './trace.ts';

/** As the schema parses it; an exchange that fits is not copied, since the store keeps what it needs of it. */
const lineSchema: Pick<LineSchema<TraceLine>, 'safeParse'> = {
  safeParse: (value) =>
    fitsExchange(value) ? { success: true, data: value } : traceLineSchema.safeParse(value),
};

/**
 * The trace that `parseTrace` reads, in a fraction of the memory: line after line, and its exchanges as columns.
 * @throws {TraceError} naming the line and what is wrong with it, as `parseTrace` does.
 */
export function parseLongTrace(rows: Rows): Trace {
  const reading = new Reading();
  for (const line of readLines(rows, lineSchema)) reading.take(line);
  return reading.trace();
}

type Announced = { readonly line: SentLine; readonly request: Request; readonly at: number };

/** What was read of a trace so far. A line that cannot be read is told before what two lines say together. */
class Reading {
  #header: TraceHeader | null = null;
  #second: TraceError | null = null;
  #differs: TraceError | null = null;
  #line = 0;
  #repeated = 0;
  readonly #others: LineAfterHeader[] = [];
  readonly #loads = new Set<string>();
  readonly #store = new ExchangeStore();
  /** Announced requests whose exchange did not come yet, with the line that announced them. */
  readonly #open = new Map<string, readonly Announced[]>();
  #announced = 0;

  take(line: TraceLine): void {
    this.#line += 1;
    if (line.kind === 'trace') {
      if (this.#line === 1) this.#header = line;
      else this.#second ??= secondHeader(this.#line);
    } else if (line.kind === 'exchange') this.#answer(line);
    else if (line.kind === 'sent') this.#announce(line);
    else if (line.kind === 'load') this.#load(line);
    else this.#others.push(line);
  }

  trace(): Trace {
    const header = this.#header;
    if (header === null) throw noHeader('trace');
    const wrong = this.#second ?? this.#differs;
    if (wrong !== null) throw wrong;
    const store = this.#store;
    return traceOf({
      header,
      exchanges: store.exchanges,
      unanswered: [...this.#open.values()]
        .flat()
        .sort((left, right) => left.at - right.at)
        .map(({ line, request }) => withoutAnswerOf(line, request)),
      announced: () => ({ has: (requestId) => store.isAnnounced(store.find(requestId)) }),
      others: this.#others,
      repeated: this.#repeated,
    });
  }

  #answer(exchange: Exchange): void {
    const { requestId } = exchange;
    const before = this.#store.find(requestId);
    if (before !== -1) {
      this.#repeated += 1;
      if (JSON.stringify(this.#store.exchanges[before]) !== JSON.stringify(inOrder(exchange)))
        this.#differs ??= differs({ id: requestId, number: this.#line, before: this.#store.lineOf(before) });
      return;
    }
    const at = this.#store.add(exchange, this.#line);
    if (this.#open.delete(requestId)) this.#store.announce(at);
  }

  #announce(line: SentLine): void {
    for (const request of line.requests) {
      const at = this.#store.find(request.requestId);
      if (at !== -1) this.#store.announce(at);
      else {
        const before = this.#open.get(request.requestId) ?? [];
        this.#open.set(request.requestId, [...before, { line, request, at: this.#announced }]);
        this.#announced += 1;
      }
    }
  }

  #load(line: Extract<TraceLine, { kind: 'load' }>): void {
    const text = JSON.stringify(line);
    if (this.#loads.has(text)) this.#repeated += 1;
    else this.#others.push(line);
    this.#loads.add(text);
  }
}
