import type { Exchange } from './exchange.ts';
import { absent, noNumber, placeOf, type ReadExchange, sharedFields, sharedFrom } from './exchange-bytes.ts';
import { fitsExchange, inOrder } from './fits-exchange.ts';
import { numberFrom } from './json-bytes.ts';
import { Texts } from './texts.ts';

/**
 * Exchanges of a long trace, as columns of numbers: as objects each takes 500 bytes, here 130. What is asked for is read
 * from the columns; what stands in many exchanges stands here once. A request has one exchange; what is looked up by its
 * id is found without a set of all ids.
 */
export class ExchangeStore {
  readonly exchanges: Exchange[] = [];
  readonly texts = new Texts();
  readonly #shared = new Map<string, Shared>();
  readonly #read = new Map<number, ReadShared[]>();
  readonly #alike = new Map<number, readonly Shared[]>();
  /** Of each chunk, the line of each exchange, and whether its request was announced. */
  readonly #lines: Uint32Array[] = [];
  readonly #announced: Uint8Array[] = [];
  readonly #chunks: Chunk[] = [];
  #lastId = '';
  #lastIdNumber = this.texts.numberOf(this.#lastId);
  /** Places of exchanges, +1, by a hash of their request ids; 0 where there is none. */
  #places = new Int32Array(1 << 12);

  /** Takes an exchange; it has to be of a request that has none yet. */
  add(exchange: Exchange, line: number): number {
    const { chunk, row } = this.#next(line, this.#idOf(exchange.requestId));
    fill(chunk, { row, exchange, texts: this.texts });
    return this.#take(new StoredExchange(chunk, row, this.#sharedOf(exchange)));
  }

  /** The same for one that was read from its bytes, and of which `sharedOfRead` gave what it shares with others. */
  addRead(read: ReadExchange, shared: Shared, line: number): number {
    const { chunk, row } = this.#next(line, idOfRead(read));
    fillFromRead(chunk, row, read);
    return this.#take(new StoredExchange(chunk, row, shared));
  }

  /** What an exchange that was read has in common with others; `null` where that is of no exchange at all. */
  sharedOfRead(read: ReadExchange): Shared | null {
    let hash = 0;
    for (let at = sharedFrom; at < read.length; at += 1)
      hash = (Math.imul(hash, 31) + (read[at] as number)) | 0;
    const alike = this.#read.get(hash);
    if (alike !== undefined) for (const one of alike) if (isSharedOf(one.values, read)) return one.shared;
    const values = read.slice(sharedFrom);
    const exchange = exchangeOfShared(values, this.texts.all);
    if (!fitsExchange(exchange)) return null;
    const shared = this.#sharedOf(exchange);
    this.#read.set(hash, [...(alike ?? []), { values, shared }]);
    return shared;
  }

  /** The place of the exchange of a request; -1 where there is none. */
  find(requestId: string): number {
    return this.findId(this.#idOf(requestId));
  }

  /** The same, by the number of its text and the number after it. */
  findId({ text, number }: RequestId): number {
    const mask = this.#places.length - 1;
    const from = hashOf(text, number) & mask;
    for (let slot = from; slot <= from + mask; slot += 1) {
      const at = (this.#places[slot & mask] as number) - 1;
      if (at < 0) return -1;
      const { idText, idNumber } = this.#chunkOf(at);
      const row = at % chunkRows;
      if (idNumber[row] === number && idText[row] === text) return at;
    }
    return -1;
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
    const row = this.exchanges.length % chunkRows;
    if (row === 0) this.#begin();
    const chunk = this.#chunks[this.#chunks.length - 1] as Chunk;
    (this.#lines.at(-1) as Uint32Array)[row] = line;
    chunk.idText[row] = text;
    chunk.idNumber[row] = number;
    return { chunk, row };
  }

  #take(stored: StoredExchange): number {
    const at = this.exchanges.length;
    this.exchanges.push(stored);
    if (2 * this.exchanges.length > this.#places.length) this.#grow();
    else this.#enter(at);
    return at;
  }

  #begin(): void {
    this.#chunks.push(emptyChunk(this.texts.all));
    this.#lines.push(new Uint32Array(chunkRows));
    this.#announced.push(new Uint8Array(chunkRows));
  }

  /** What many exchanges have in common: among few that are alike at a glance, then among all. */
  #sharedOf(exchange: Exchange): Shared {
    const glance = glanceAt(exchange);
    const alike = this.#alike.get(glance) ?? [];
    const found = alike.find((one) => isShared(one, exchange));
    if (found !== undefined) return found;
    const id = sharedKey(exchange);
    const shared = this.#shared.get(id) ?? sharedPart(exchange);
    this.#shared.set(id, shared);
    if (alike.length < alikeMax) this.#alike.set(glance, [...alike, shared]);
    return shared;
  }

  #enter(at: number): void {
    const { idText, idNumber } = this.#chunkOf(at);
    const row = at % chunkRows;
    const mask = this.#places.length - 1;
    const from = hashOf(idText[row] as number, idNumber[row] as number) & mask;
    let slot = from;
    while (slot < from + mask && this.#places[slot & mask] !== 0) slot += 1;
    this.#places[slot & mask] = at + 1;
  }

  #grow(): void {
    this.#places = new Int32Array(2 * this.#places.length);
    for (let at = 0; at < this.exchanges.length; at += 1) this.#enter(at);
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

function hashOf(text: number, number: number): number {
  const hash = Math.imul(number ^ Math.imul(text, 0x9e3779b1), 0x85ebca6b);
  return (hash ^ (hash >>> 15)) >>> 0;
}

const chunkRows = 4_096;

/** A request id: the number of its text, and the number after it, -1 where it ends in none. */
type RequestId = { readonly text: number; readonly number: number };

type Shared = Pick<Exchange, (typeof sharedFields)[number]>;

/** The same as it was read, and what it is. */
type ReadShared = { readonly values: Float64Array; readonly shared: Shared };

function isSharedOf(values: Float64Array, read: ReadExchange): boolean {
  for (let at = 0; at < values.length; at += 1) if (values[at] !== read[sharedFrom + at]) return false;
  return true;
}

/** The request id of an exchange that was read from its bytes. */
export function idOfRead(read: ReadExchange): RequestId {
  return { text: read[placeOf.requestId] as number, number: read[placeOf.idNumber] as number };
}

/** An exchange of those values and of nothing else, to be asked whether it is one. */
function exchangeOfShared(values: Float64Array, texts: readonly (string | null)[]): Exchange {
  const shared: Record<string, unknown> = {};
  sharedFields.forEach((field, at) => {
    const value = values[at] as number;
    if (value !== absent) shared[field] = sharedValue(field, value, texts);
  });
  return { ...emptyExchange, ...(shared as Shared) };
}

function sharedValue(
  field: (typeof sharedFields)[number],
  value: number,
  texts: readonly (string | null)[],
): string | number | boolean | null {
  if (field === 'node' || field === 'status' || field === 'cost') return value === noNumber ? null : value;
  return field === 'sentOnce' ? true : (texts[value] as string | null);
}

const emptyExchange = {
  ...({ kind: 'exchange' } as const),
  ...{ index: 0, requestId: '', sentMs: 0, receivedMs: null },
  ...{ wallSentMs: null, wallReceivedMs: null, retryAfter: null, date: null, body: null },
  headers: { limit: null, remaining: null, reset: null },
};

/** No value of one field can be taken for that of another one: each has its length before it. */
function sharedKey(exchange: Exchange): string {
  let id = '';
  for (const field of sharedFields) {
    const value = exchange[field];
    id += typeof value === 'string' ? `${value.length}:${value}` : `${String(value)};`;
  }
  return id;
}

/** A number that exchanges which have all of that in common have in common too. */
function glanceAt({ path, purpose, key, status, scope, outcome }: Exchange): number {
  const lengths = path.length + 64 * purpose.length + 4_096 * (key?.charCodeAt(0) ?? 0);
  return lengths * 1_024 + (status ?? 0) + 7 * scope.length + 97 * outcome.length;
}

/** So many are compared one by one: texts of failures may differ each time. */
const alikeMax = 16;

function isShared(shared: Shared, exchange: Exchange): boolean {
  for (const field of sharedFields) if (shared[field] !== exchange[field]) return false;
  return true;
}

function sharedPart(exchange: Exchange): Shared {
  const { driver, scenario, clock, scope, route, key, credential, node, purpose } = exchange;
  const { method, path, cost, sentOnce, status, contentType, server, bodyState, failure, outcome } = exchange;
  return {
    ...{ driver, scenario, clock, scope, route, key, credential, node, purpose },
    ...{ method, path, cost, sentOnce, status, contentType, server, bodyState, failure, outcome },
  };
}

/** Some thousand exchanges. Of moments, NaN stands for `null`, and of latencies infinity for none at all. */
type Chunk = {
  readonly texts: readonly (string | null)[];
  readonly index: Float64Array;
  readonly sentMs: Float64Array;
  readonly receivedMs: Float64Array;
  readonly wallSentMs: Float64Array;
  readonly wallReceivedMs: Float64Array;
  latencyMs: Float64Array | null;
  readonly limit: Int32Array;
  readonly remaining: Int32Array;
  readonly reset: Int32Array;
  readonly retryAfter: Int32Array;
  readonly date: Int32Array;
  readonly body: Int32Array;
  /** A request id is a text, and a number after it where it ends in one; -1 where it does not. */
  readonly idText: Int32Array;
  readonly idNumber: Int32Array;
};

function emptyChunk(texts: readonly (string | null)[]): Chunk {
  const moments = (): Float64Array => new Float64Array(chunkRows);
  const numbers = (): Int32Array => new Int32Array(chunkRows);
  return {
    texts,
    index: moments(),
    sentMs: moments(),
    receivedMs: moments(),
    wallSentMs: moments(),
    wallReceivedMs: moments(),
    latencyMs: null,
    limit: numbers(),
    remaining: numbers(),
    reset: numbers(),
    retryAfter: numbers(),
    date: numbers(),
    body: numbers(),
    idText: numbers(),
    idNumber: numbers(),
  };
}

type Row = { readonly row: number; readonly exchange: Exchange; readonly texts: Texts };

function fill(chunk: Chunk, { row, exchange, texts }: Row): void {
  const { headers, latencyMs } = exchange;
  chunk.index[row] = exchange.index;
  chunk.sentMs[row] = exchange.sentMs;
  chunk.receivedMs[row] = exchange.receivedMs ?? Number.NaN;
  chunk.wallSentMs[row] = exchange.wallSentMs ?? Number.NaN;
  chunk.wallReceivedMs[row] = exchange.wallReceivedMs ?? Number.NaN;
  if (latencyMs !== undefined) latenciesOf(chunk)[row] = latencyMs ?? Number.NaN;
  chunk.limit[row] = texts.numberOf(headers.limit);
  chunk.remaining[row] = texts.numberOf(headers.remaining);
  chunk.reset[row] = texts.numberOf(headers.reset);
  chunk.retryAfter[row] = texts.numberOf(exchange.retryAfter);
  chunk.date[row] = texts.numberOf(exchange.date);
  chunk.body[row] = texts.numberOf(exchange.body);
}

function fillFromRead(chunk: Chunk, row: number, read: ReadExchange): void {
  const latencyMs = read[placeOf.latencyMs] as number;
  chunk.index[row] = read[placeOf.index] as number;
  chunk.sentMs[row] = read[placeOf.sentMs] as number;
  chunk.receivedMs[row] = read[placeOf.receivedMs] as number;
  chunk.wallSentMs[row] = read[placeOf.wallSentMs] as number;
  chunk.wallReceivedMs[row] = read[placeOf.wallReceivedMs] as number;
  if (latencyMs !== Number.POSITIVE_INFINITY) latenciesOf(chunk)[row] = latencyMs;
  chunk.limit[row] = read[placeOf.limit] as number;
  chunk.remaining[row] = read[placeOf.remaining] as number;
  chunk.reset[row] = read[placeOf.reset] as number;
  chunk.retryAfter[row] = read[placeOf.retryAfter] as number;
  chunk.date[row] = read[placeOf.date] as number;
  chunk.body[row] = read[placeOf.body] as number;
}

/** Only some clients measure them. */
function latenciesOf(chunk: Chunk): Float64Array {
  chunk.latencyMs ??= new Float64Array(chunkRows).fill(Number.POSITIVE_INFINITY);
  return chunk.latencyMs;
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

/** An exchange that reads its fields where they are asked for. To change one, copy it with `plainExchange`. */
class StoredExchange implements Exchange {
  readonly #chunk: Chunk;
  readonly #row: number;
  readonly #shared: Shared;

  constructor(chunk: Chunk, row: number, shared: Shared) {
    this.#chunk = chunk;
    this.#row = row;
    this.#shared = shared;
  }

  #text(column: Int32Array): string | null {
    return this.#chunk.texts[column[this.#row] as number] as string | null;
  }

  get kind(): 'exchange' {
    return 'exchange';
  }
  get index(): number {
    return this.#chunk.index[this.#row] as number;
  }
  get driver() {
    return this.#shared.driver;
  }
  get scenario() {
    return this.#shared.scenario;
  }
  get clock() {
    return this.#shared.clock;
  }
  get scope() {
    return this.#shared.scope;
  }
  get route() {
    return this.#shared.route;
  }
  get key() {
    return this.#shared.key;
  }
  get credential() {
    return this.#shared.credential;
  }
  get node() {
    return this.#shared.node;
  }
  get purpose() {
    return this.#shared.purpose;
  }
  get requestId(): string {
    const text = this.#text(this.#chunk.idText) as string;
    const number = this.#chunk.idNumber[this.#row] as number;
    return number < 0 ? text : `${text}${number}`;
  }
  get method() {
    return this.#shared.method;
  }
  get path() {
    return this.#shared.path;
  }
  get cost() {
    return this.#shared.cost;
  }
  get sentOnce() {
    return this.#shared.sentOnce;
  }
  get sentMs(): number {
    return this.#chunk.sentMs[this.#row] as number;
  }
  get receivedMs() {
    return orNull(this.#chunk.receivedMs[this.#row] as number);
  }
  get latencyMs() {
    const value = this.#chunk.latencyMs?.[this.#row];
    return value === undefined || value === Number.POSITIVE_INFINITY ? undefined : orNull(value);
  }
  get wallSentMs() {
    return orNull(this.#chunk.wallSentMs[this.#row] as number);
  }
  get wallReceivedMs() {
    return orNull(this.#chunk.wallReceivedMs[this.#row] as number);
  }
  get status() {
    return this.#shared.status;
  }
  get headers() {
    const { limit, remaining, reset } = this.#chunk;
    return { limit: this.#text(limit), remaining: this.#text(remaining), reset: this.#text(reset) };
  }
  get retryAfter() {
    return this.#text(this.#chunk.retryAfter);
  }
  get date() {
    return this.#text(this.#chunk.date);
  }
  get contentType() {
    return this.#shared.contentType;
  }
  get server() {
    return this.#shared.server;
  }
  get body() {
    return this.#text(this.#chunk.body);
  }
  get bodyState() {
    return this.#shared.bodyState;
  }
  get failure() {
    return this.#shared.failure;
  }
  get outcome() {
    return this.#shared.outcome;
  }

  get exchange(): Exchange {
    return this;
  }
  get lowMs(): number {
    const receivedMs = this.#chunk.receivedMs[this.#row] as number;
    return receivedMs < this.sentMs ? receivedMs : this.sentMs;
  }
  get highMs(): number {
    const receivedMs = this.#chunk.receivedMs[this.#row] as number;
    if (Number.isNaN(receivedMs)) return Number.POSITIVE_INFINITY;
    return receivedMs > this.sentMs ? receivedMs : this.sentMs;
  }

  toJSON(): Exchange {
    return inOrder(this);
  }
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
