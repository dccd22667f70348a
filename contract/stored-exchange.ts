import type { Exchange } from './exchange.ts';
import type { Chunk, Numbers } from './exchange-chunk.ts';
import { inOrder } from './fits-exchange.ts';
import type { Shared } from './shared-parts.ts';

/** An exchange that reads its fields where they are asked for; a private method would take place in each. To change one, copy it with `plainExchange`. */
export class StoredExchange implements Exchange {
  readonly #chunk: Chunk;
  readonly #row: number;

  constructor(chunk: Chunk, row: number) {
    this.#chunk = chunk;
    this.#row = row;
  }

  /** The same exchange in another chunk, of the same rows. */
  within(chunkOf: (chunk: Chunk) => Chunk): StoredExchange {
    return new StoredExchange(chunkOf(this.#chunk), this.#row);
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
    return textAt(this.#chunk, this.#chunk.key, this.#row);
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

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

function sharedAt({ common, shared }: Chunk, row: number): Shared {
  return common[shared[row] as number] as Shared;
}

function textAt({ texts }: Chunk, column: Numbers, row: number): string | null {
  return texts[column[row] as number] as string | null;
}
