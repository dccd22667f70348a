import type { Exchange } from './exchange.ts';
import { absent, noNumber, placeOf, type ReadExchange, sharedFields, sharedFrom } from './exchange-bytes.ts';
import { fitsExchange, inOrder } from './fits-exchange.ts';
import { numberFrom } from './json-bytes.ts';
import { Texts } from './texts.ts';

/**
 * Exchanges of a long trace, as columns of numbers: as objects each takes 500 bytes, here 100. What is asked for is read
 * from the columns; what stands in many exchanges stands here once. A request has one exchange; what is looked up by its
 * id is found without a set of all ids.
 */
export class ExchangeStore {
  readonly texts = new Texts();
  /** What exchanges have in common, each once, by number. */
  readonly #common: Shared[] = [];
  readonly #shared = new Map<string, number>();
  readonly #read = new Map<number, ReadShared[]>();
  readonly #alike = new Map<number, readonly number[]>();
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
    fill(chunk, { row, exchange, texts: this.texts });
    chunk.shared[row] = this.#sharedOf(exchange);
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
    return Math.max(this.texts.all.length, this.#common.length) + newEach > shortMax;
  }

  #begin(): void {
    this.#chunks.push(emptyChunk(this.texts.all, this.#common));
    this.#lines.push(new Uint32Array(chunkRows));
    this.#announced.push(new Uint8Array(chunkRows));
  }

  /** What many exchanges have in common: among few that are alike at a glance, then among all. */
  #sharedOf(exchange: Exchange): number {
    const glance = glanceAt(exchange);
    const alike = this.#alike.get(glance) ?? [];
    const found = alike.find((one) => isShared(this.#common[one] as Shared, exchange));
    if (found !== undefined) return found;
    const id = sharedKey(exchange);
    const known = this.#shared.get(id);
    const shared = known ?? this.#common.push(sharedPart(exchange)) - 1;
    if (known === undefined) this.#shared.set(id, shared);
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

function hashOf(text: number, number: number): number {
  const hash = Math.imul(number ^ Math.imul(text, 0x9e3779b1), 0x85ebca6b);
  return (hash ^ (hash >>> 15)) >>> 0;
}

const chunkRows = 4_096;

/** A request id: the number of its text, and the number after it, -1 where it ends in none. */
type RequestId = { readonly text: number; readonly number: number };

type Shared = Pick<Exchange, (typeof sharedFields)[number]>;

/** The same as it was read, and what it is. */
type ReadShared = { readonly values: Float64Array; readonly shared: number };

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
  readonly common: readonly Shared[];
  /** Whether its numbers are longer than short ones. */
  isWide: boolean;
  /** Of what they have in common, the number. */
  shared: Numbers;
  index: Uint32Array | Float64Array;
  readonly sentMs: Float64Array;
  readonly receivedMs: Float64Array;
  wallSentMs: Float64Array;
  wallReceivedMs: Float64Array;
  latencyMs: Float64Array | null;
  limit: Numbers;
  remaining: Numbers;
  reset: Numbers;
  retryAfter: Numbers;
  date: Numbers;
  body: Numbers;
  /** A request id is a text, and a number after it where it ends in one; -1 where it does not. */
  idText: Numbers;
  readonly idNumber: Int32Array;
};

/** Numbers of texts, or of what exchanges have in common. */
type Numbers = Uint16Array | Int32Array;

/** So many new texts an exchange has at most that are numbered while it is put into its row. */
const newEach = 7;

/** What Uint16Array and Uint32Array can hold. */
const [shortMax, longMax] = [2 ** 16 - 1, 2 ** 32 - 1];

function emptyChunk(texts: Chunk['texts'], common: Chunk['common']): Chunk {
  const numbers = (): Numbers => new Uint16Array(chunkRows);
  const [sentMs, receivedMs] = [new Float64Array(chunkRows), new Float64Array(chunkRows)];
  return {
    texts,
    common,
    isWide: false,
    shared: numbers(),
    index: new Uint32Array(chunkRows),
    sentMs,
    receivedMs,
    wallSentMs: sentMs,
    wallReceivedMs: receivedMs,
    latencyMs: null,
    limit: numbers(),
    remaining: numbers(),
    reset: numbers(),
    retryAfter: numbers(),
    date: numbers(),
    body: numbers(),
    idText: numbers(),
    idNumber: new Int32Array(chunkRows),
  };
}

const numberColumns = [
  'shared',
  'limit',
  'remaining',
  'reset',
  'retryAfter',
  'date',
  'body',
  'idText',
] as const;

/** Few traces have more texts than a short number can tell apart. */
function widen(chunk: Chunk): void {
  for (const column of numberColumns) chunk[column] = Int32Array.from(chunk[column]);
  chunk.isWide = true;
}

function putIndex(chunk: Chunk, row: number, index: number): void {
  if (index > longMax && chunk.index instanceof Uint32Array) chunk.index = Float64Array.from(chunk.index);
  chunk.index[row] = index;
}

/** The wall clock of clients that have none. */
const never = new Float64Array(chunkRows).fill(Number.NaN);

type WallMs = { readonly sent: number; readonly received: number };

/** Of a client with one clock, or without a wall clock, its moments stand in no column of their own. */
function putWall(chunk: Chunk, row: number, { sent, received }: WallMs): void {
  chunk.wallSentMs = withMoment(chunk.wallSentMs, { like: chunk.sentMs, row, ms: sent });
  chunk.wallReceivedMs = withMoment(chunk.wallReceivedMs, { like: chunk.receivedMs, row, ms: received });
}

type Moment = { readonly like: Float64Array; readonly row: number; readonly ms: number };

/** A column that borrows another one as long as it says the same, with one moment more. */
function withMoment(column: Float64Array, { like, row, ms }: Moment): Float64Array {
  if (row === 0 && Number.isNaN(ms)) return never;
  const isBorrowed = column === like || column === never;
  if (isBorrowed && Object.is(column[row], ms)) return column;
  const own = isBorrowed ? column.slice() : column;
  own[row] = ms;
  return own;
}

type Row = { readonly row: number; readonly exchange: Exchange; readonly texts: Texts };

function fill(chunk: Chunk, { row, exchange, texts }: Row): void {
  const { headers, latencyMs } = exchange;
  putIndex(chunk, row, exchange.index);
  chunk.sentMs[row] = exchange.sentMs;
  chunk.receivedMs[row] = exchange.receivedMs ?? Number.NaN;
  const { wallSentMs, wallReceivedMs } = exchange;
  putWall(chunk, row, { sent: wallSentMs ?? Number.NaN, received: wallReceivedMs ?? Number.NaN });
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
  putIndex(chunk, row, read[placeOf.index] as number);
  chunk.sentMs[row] = read[placeOf.sentMs] as number;
  chunk.receivedMs[row] = read[placeOf.receivedMs] as number;
  const [sent, received] = [placeOf.wallSentMs, placeOf.wallReceivedMs];
  putWall(chunk, row, { sent: read[sent] as number, received: read[received] as number });
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

function sharedAt({ common, shared }: Chunk, row: number): Shared {
  return common[shared[row] as number] as Shared;
}

function textAt({ texts }: Chunk, column: Numbers, row: number): string | null {
  return texts[column[row] as number] as string | null;
}

/** An exchange that reads its fields where they are asked for; a private method would take place in each. To change one, copy it with `plainExchange`. */
class StoredExchange implements Exchange {
  readonly #chunk: Chunk;
  readonly #row: number;

  constructor(chunk: Chunk, row: number) {
    this.#chunk = chunk;
    this.#row = row;
  }

  get kind(): 'exchange' {
    return 'exchange';
  }
  get index(): number {
    return this.#chunk.index[this.#row] as number;
  }
  get driver() {
    return sharedAt(this.#chunk, this.#row).driver;
  }
  get scenario() {
    return sharedAt(this.#chunk, this.#row).scenario;
  }
  get clock() {
    return sharedAt(this.#chunk, this.#row).clock;
  }
  get scope() {
    return sharedAt(this.#chunk, this.#row).scope;
  }
  get route() {
    return sharedAt(this.#chunk, this.#row).route;
  }
  get key() {
    return sharedAt(this.#chunk, this.#row).key;
  }
  get credential() {
    return sharedAt(this.#chunk, this.#row).credential;
  }
  get node() {
    return sharedAt(this.#chunk, this.#row).node;
  }
  get purpose() {
    return sharedAt(this.#chunk, this.#row).purpose;
  }
  get requestId(): string {
    const text = textAt(this.#chunk, this.#chunk.idText, this.#row) as string;
    const number = this.#chunk.idNumber[this.#row] as number;
    return number < 0 ? text : `${text}${number}`;
  }
  get method() {
    return sharedAt(this.#chunk, this.#row).method;
  }
  get path() {
    return sharedAt(this.#chunk, this.#row).path;
  }
  get cost() {
    return sharedAt(this.#chunk, this.#row).cost;
  }
  get sentOnce() {
    return sharedAt(this.#chunk, this.#row).sentOnce;
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
    return sharedAt(this.#chunk, this.#row).status;
  }
  get headers() {
    const [chunk, row] = [this.#chunk, this.#row];
    return {
      limit: textAt(chunk, chunk.limit, row),
      remaining: textAt(chunk, chunk.remaining, row),
      reset: textAt(chunk, chunk.reset, row),
    };
  }
  get retryAfter() {
    return textAt(this.#chunk, this.#chunk.retryAfter, this.#row);
  }
  get date() {
    return textAt(this.#chunk, this.#chunk.date, this.#row);
  }
  get contentType() {
    return sharedAt(this.#chunk, this.#row).contentType;
  }
  get server() {
    return sharedAt(this.#chunk, this.#row).server;
  }
  get body() {
    return textAt(this.#chunk, this.#chunk.body, this.#row);
  }
  get bodyState() {
    return sharedAt(this.#chunk, this.#row).bodyState;
  }
  get failure() {
    return sharedAt(this.#chunk, this.#row).failure;
  }
  get outcome() {
    return sharedAt(this.#chunk, this.#row).outcome;
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
