import type { Exchange } from './exchange.ts';
import { placeOf, type ReadExchange } from './exchange-bytes.ts';
import {
  type Chunk,
  chunkRows,
  emptyChunk,
  fillFromRead,
  newEach,
  shortMax,
  widen,
  writeRow,
} from './exchange-chunk.ts';
import { inOrder } from './fits-exchange.ts';
import { numberFrom } from './json-bytes.ts';
import { once } from './once.ts';
import { SharedParts } from './shared-parts.ts';
import { StoredExchange } from './stored-exchange.ts';
import { Texts } from './texts.ts';

/**
 * Exchanges of a long trace, as columns of numbers: as objects each takes 500 bytes, here 100. What is asked for is read
 * from the columns; what stands in many exchanges stands here once. A request has one exchange; what is looked up by its
 * id is found without a set of all ids.
 */
export class ExchangeStore {
  readonly texts = new Texts();
  readonly #common = new SharedParts(this.texts);
  /** Of each chunk, the line of each exchange, and whether its request was announced. */
  readonly #lines: Uint32Array[] = [];
  readonly #announced: Uint8Array[] = [];
  readonly #chunks: Chunk[] = [];
  #count = 0;
  #lastId = '';
  #lastIdNumber = this.texts.numberOf(this.#lastId);
  /** Places of exchanges, +1, by a hash of their request ids; 0 where there is none. */
  #places = new Int32Array(1 << 12);

  /** Takes an exchange; it has to be of a request that has none yet. */
  add(exchange: Exchange, line: number): number {
    const { chunk, row } = this.#next(line, this.#idOf(exchange.requestId));
    writeRow(chunk, { row, exchange, texts: this.texts });
    chunk.shared[row] = this.#common.numberOf(exchange);
    return this.#taken();
  }

  /** The same for one that was read from its bytes, and of which `sharedOfRead` gave what it shares with others. */
  addRead(read: ReadExchange, shared: number, line: number): number {
    const { chunk, row } = this.#next(line, idOfRead(read));
    fillFromRead(chunk, row, read);
    chunk.shared[row] = shared;
    return this.#taken();
  }

  /** The number of what an exchange that was read has in common with others; `null` where that is of no exchange at all. */
  sharedOfRead(read: ReadExchange): number | null {
    return this.#common.numberOfRead(read);
  }

  /** The place of the exchange of a request; -1 where there is none. */
  find(requestId: string): number {
    return this.findId(this.#idOf(requestId));
  }

  /** The same, by the number of its text and the number after it. */
  findId({ text, number }: RequestId): number {
    const mask = this.#places.length - 1;
    // Half of the places are free: it comes to one of them.
    for (let slot = hashOf(text, number) & mask; ; slot = (slot + onward) & mask) {
      const at = (this.#places[slot] as number) - 1;
      if (at < 0) return -1;
      const { idText, idNumber } = this.#chunkOf(at);
      const row = at % chunkRows;
      if (idNumber[row] === number && idText[row] === text) return at;
    }
  }

  /** All exchanges. Whoever asks once gets each of them once: an object for each is made then, and not while they are read. */
  toArray(): readonly Exchange[] {
    return Array.from({ length: this.#count }, (_, at) => this.exchangeAt(at));
  }

  exchangeAt(at: number): Exchange {
    return new StoredExchange(this.#chunkOf(at), at % chunkRows);
  }

  /** The line on which an exchange stands. */
  lineOf(at: number): number {
    return this.#lines[Math.floor(at / chunkRows)]?.[at % chunkRows] ?? 0;
  }

  announce(at: number): void {
    (this.#announced[Math.floor(at / chunkRows)] as Uint8Array)[at % chunkRows] = 1;
  }

  isAnnounced(at: number): boolean {
    return this.#announced[Math.floor(at / chunkRows)]?.[at % chunkRows] === 1;
  }

  #next(line: number, { text, number }: RequestId): { readonly chunk: Chunk; readonly row: number } {
    const row = this.#count % chunkRows;
    if (row === 0) this.#begin();
    const chunk = this.#chunks[this.#chunks.length - 1] as Chunk;
    if (!chunk.isWide && this.#isBeyondShort()) widen(chunk);
    (this.#lines.at(-1) as Uint32Array)[row] = line;
    chunk.idText[row] = text;
    chunk.idNumber[row] = number;
    return { chunk, row };
  }

  #taken(): number {
    const at = this.#count;
    this.#count += 1;
    if (2 * this.#count > this.#places.length) this.#grow();
    else this.#enter(at);
    return at;
  }

  /** Whether a number that the next exchange may have is beyond what short columns hold. */
  #isBeyondShort(): boolean {
    return Math.max(this.texts.all.length, this.#common.all.length) + newEach > shortMax;
  }

  #begin(): void {
    this.#chunks.push(emptyChunk(this.texts.all, this.#common.all));
    this.#lines.push(new Uint32Array(chunkRows));
    this.#announced.push(new Uint8Array(chunkRows));
  }

  #enter(at: number): void {
    const { idText, idNumber } = this.#chunkOf(at);
    const row = at % chunkRows;
    const mask = this.#places.length - 1;
    let slot = hashOf(idText[row] as number, idNumber[row] as number) & mask;
    while (this.#places[slot] !== 0) slot = (slot + onward) & mask;
    this.#places[slot] = at + 1;
  }

  #grow(): void {
    this.#places = new Int32Array(2 * this.#places.length);
    for (let at = 0; at < this.#count; at += 1) this.#enter(at);
  }

  #chunkOf(at: number): Chunk {
    return this.#chunks[Math.floor(at / chunkRows)] as Chunk;
  }

  /** A request id as the number of its text, and the number after it; most have the text of the one before. */
  #idOf(requestId: string): RequestId {
    const { length } = requestId;
    const digitsFrom = numberFrom(length, (at) => requestId.charCodeAt(at));
    const number = digitsFrom === length ? -1 : Number(requestId.slice(digitsFrom));
    const isLast = this.#lastId.length === digitsFrom && requestId.startsWith(this.#lastId);
    if (!isLast) {
      this.#lastId = requestId.slice(0, digitsFrom);
      this.#lastIdNumber = this.texts.numberOf(this.#lastId);
    }
    return { text: this.#lastIdNumber, number };
  }
}

/** Numbers that follow one another mostly stand side by side: so many places are read from memory at once. */
const sideBySide = 16;

/** From a place that is taken to the next one that may be: beyond those side by side. It is odd, so that it comes to all of them. */
const onward = sideBySide + 1;

function hashOf(text: number, number: number): number {
  const hash = Math.imul(Math.floor(number / sideBySide) ^ Math.imul(text, 0x9e3779b1), 0x85ebca6b);
  return hash ^ (hash >>> 15) ^ (number & (sideBySide - 1));
}

/** A request id: the number of its text, and the number after it, -1 where it ends in none. */
type RequestId = { readonly text: number; readonly number: number };

/** The request id of an exchange that was read from its bytes. */
export function idOfRead(read: ReadExchange): RequestId {
  return { text: read[placeOf.requestId] as number, number: read[placeOf.idNumber] as number };
}

/** An exchange and the interval that it spans: infinite where no answer came. */
export type Spanning = { readonly exchange: Exchange; readonly lowMs: number; readonly highMs: number };

/** A stored exchange says itself what it spans, which saves an object for each; `null` for any other. */
export function spanningItself(exchange: Exchange): Spanning | null {
  return exchange instanceof StoredExchange ? exchange : null;
}

/** An exchange whose fields are its own, so that `{ ...exchange, outcome }` has all the others: never a stored one. */
export function plainExchange(exchange: Exchange): Exchange {
  return exchange instanceof StoredExchange ? inOrder(exchange) : exchange;
}

/**
 * Exchanges with their clocks under other names. Those of a store stay in its columns: what many of them have in common is all that
 * is written anew.
 */
export function withClocksNamed(
  exchanges: readonly Exchange[],
  nameOf: (clock: string) => string,
): readonly Exchange[] {
  const commonOf = once((common: Chunk['common']) =>
    common.map((shared) => ({ ...shared, clock: nameOf(shared.clock) })),
  );
  const chunkOf = once((chunk: Chunk) => ({ ...chunk, common: commonOf(chunk.common) }));
  return exchanges.map((exchange) =>
    exchange instanceof StoredExchange
      ? exchange.within(chunkOf)
      : { ...exchange, clock: nameOf(exchange.clock) },
  );
}
