import type { Exchange } from './exchange.ts';

/**
 * Exchanges of a long trace, as columns of numbers: as objects each takes 500 bytes, here 130. What is asked for is read
 * from the columns; what stands in many exchanges stands here once. A request has one exchange; what is looked up by its
 * id is found without a set of all ids.
 */
export class ExchangeStore {
  readonly exchanges: Exchange[] = [];
  readonly #texts = new Texts();
  readonly #shared = new Map<string, Shared>();
  readonly #alike = new Map<number, readonly Shared[]>();
  /** Of each chunk, the line of each exchange, and whether its request was announced. */
  readonly #lines: Uint32Array[] = [];
  readonly #announced: Uint8Array[] = [];
  readonly #chunks: Chunk[] = [];
  #lastId = '';
  #lastIdNumber = this.#texts.numberOf('');
  /** Places of exchanges, +1, by a hash of their request ids; 0 where there is none. */
  #places = new Int32Array(1 << 12);

  /** Takes an exchange; it has to be of a request that has none yet. */
  add(exchange: Exchange, line: number): number {
    const at = this.exchanges.length;
    const row = at % chunkRows;
    if (row === 0) this.#begin();
    const chunk = this.#chunks[this.#chunks.length - 1] as Chunk;
    (this.#lines.at(-1) as Uint32Array)[row] = line;
    fill(chunk, { row, exchange, texts: this.#texts });
    const { text, number } = this.#idOf(exchange.requestId);
    chunk.idText[row] = text;
    chunk.idNumber[row] = number;
    this.exchanges.push(new StoredExchange(chunk, row, this.#sharedOf(exchange)));
    if (2 * this.exchanges.length > this.#places.length) this.#grow();
    else this.#enter(at);
    return at;
  }

  /** The place of the exchange of a request; -1 where there is none. */
  find(requestId: string): number {
    const { text, number } = this.#idOf(requestId);
    const mask = this.#places.length - 1;
    for (let slot = hashOf(text, number) & mask; ; slot = (slot + 1) & mask) {
      const at = (this.#places[slot] as number) - 1;
      if (at < 0) return -1;
      const { idText, idNumber } = this.#chunkOf(at);
      const row = at % chunkRows;
      if (idNumber[row] === number && idText[row] === text) return at;
    }
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

  #begin(): void {
    this.#chunks.push(emptyChunk(this.#texts.all));
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
    let slot = hashOf(idText[row] as number, idNumber[row] as number) & mask;
    while (this.#places[slot] !== 0) slot = (slot + 1) & mask;
    this.#places[slot] = at + 1;
  }

  #grow(): void {
    this.#places = new Int32Array(2 * this.#places.length);
    for (let at = 0; at < this.exchanges.length; at += 1) this.#enter(at);
  }

  #chunkOf(at: number): Chunk {
    return this.#chunks[Math.floor(at / chunkRows)] as Chunk;
  }

  /** A request id as the number of its text, and the number after it; most have the text of the one before. */
  #idOf(requestId: string): { readonly text: number; readonly number: number } {
    const { digitsFrom, number } = numberAtEnd(requestId);
    const isLast = this.#lastId.length === digitsFrom && requestId.startsWith(this.#lastId);
    if (!isLast) {
      this.#lastId = requestId.slice(0, digitsFrom);
      this.#lastIdNumber = this.#texts.numberOf(this.#lastId);
    }
    return { text: this.#lastIdNumber, number };
  }
}

function hashOf(text: number, number: number): number {
  const hash = Math.imul(number ^ Math.imul(text, 0x9e3779b1), 0x85ebca6b);
  return (hash ^ (hash >>> 15)) >>> 0;
}

const chunkRows = 4_096;

/** Texts, each once, by number; 0 stands for none. */
class Texts {
  readonly all: (string | null)[] = [null];
  readonly #known = new Map<string, number>();

  numberOf(text: string | null): number {
    if (text === null) return 0;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const next = this.all.length;
    this.all.push(text);
    this.#known.set(text, next);
    return next;
  }
}

const sharedFields = [
  'driver',
  'scenario',
  'clock',
  'scope',
  'route',
  'key',
  'credential',
  'node',
  'purpose',
  'method',
  'path',
  'sentOnce',
  'status',
  'contentType',
  'server',
  'bodyState',
  'failure',
  'outcome',
] as const satisfies readonly (keyof Exchange)[];

type Shared = Pick<Exchange, (typeof sharedFields)[number]>;

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
  const { method, path, sentOnce, status, contentType, server, bodyState, failure, outcome } = exchange;
  return {
    ...{ driver, scenario, clock, scope, route, key, credential, node, purpose },
    ...{ method, path, sentOnce, status, contentType, server, bodyState, failure, outcome },
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
  if (latencyMs !== undefined) {
    chunk.latencyMs ??= new Float64Array(chunkRows).fill(Number.POSITIVE_INFINITY);
    chunk.latencyMs[row] = latencyMs ?? Number.NaN;
  }
  chunk.limit[row] = texts.numberOf(headers.limit);
  chunk.remaining[row] = texts.numberOf(headers.remaining);
  chunk.reset[row] = texts.numberOf(headers.reset);
  chunk.retryAfter[row] = texts.numberOf(exchange.retryAfter);
  chunk.date[row] = texts.numberOf(exchange.date);
  chunk.body[row] = texts.numberOf(exchange.body);
}

/** Where the number at the end of a request id begins, and the number; at its end, and -1, where it ends in none. */
function numberAtEnd(requestId: string): { readonly digitsFrom: number; readonly number: number } {
  const { length } = requestId;
  // More digits would not fit into a column.
  const least = Math.max(0, length - 9);
  let digitsFrom = length;
  while (digitsFrom > least && isDigit(requestId.charCodeAt(digitsFrom - 1))) digitsFrom -= 1;
  // A number that began with 0 would lose it.
  while (digitsFrom < length - 1 && requestId.charCodeAt(digitsFrom) === zero) digitsFrom += 1;
  if (digitsFrom === length) return { digitsFrom, number: -1 };
  let number = 0;
  for (let at = digitsFrom; at < length; at += 1) number = 10 * number + requestId.charCodeAt(at) - zero;
  return { digitsFrom, number };
}

const zero = 48;

function isDigit(character: number): boolean {
  return character >= zero && character <= zero + 9;
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
    const text = this.#text(this.#chunk.idText) ?? '';
    const number = this.#chunk.idNumber[this.#row] as number;
    return number < 0 ? text : `${text}${number}`;
  }
  get method() {
    return this.#shared.method;
  }
  get path() {
    return this.#shared.path;
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

  toJSON(): Exchange {
    return inOrder(this);
  }
}

/** An exchange whose fields are its own, so that `{ ...exchange, outcome }` has all the others: never a stored one. */
export function plainExchange(exchange: Exchange): Exchange {
  return exchange instanceof StoredExchange ? inOrder(exchange) : exchange;
}

/** A copy with the fields in the order of the schema, and without those that are absent. */
export function inOrder(one: Exchange): Exchange {
  const { scenario, sentOnce, latencyMs, server, bodyState } = one;
  return {
    kind: 'exchange',
    index: one.index,
    driver: one.driver,
    ...(scenario !== undefined && { scenario }),
    clock: one.clock,
    scope: one.scope,
    route: one.route,
    key: one.key,
    credential: one.credential,
    node: one.node,
    purpose: one.purpose,
    requestId: one.requestId,
    method: one.method,
    path: one.path,
    ...(sentOnce !== undefined && { sentOnce }),
    sentMs: one.sentMs,
    receivedMs: one.receivedMs,
    ...(latencyMs !== undefined && { latencyMs }),
    wallSentMs: one.wallSentMs,
    wallReceivedMs: one.wallReceivedMs,
    status: one.status,
    headers: { limit: one.headers.limit, remaining: one.headers.remaining, reset: one.headers.reset },
    retryAfter: one.retryAfter,
    date: one.date,
    contentType: one.contentType,
    ...(server !== undefined && { server }),
    body: one.body,
    ...(bodyState !== undefined && { bodyState }),
    failure: one.failure,
    outcome: one.outcome,
  };
}
