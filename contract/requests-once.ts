import type { Exchange } from './exchange.ts';

/** Exchanges, each of another request: found by its id without a set of all ids, which would take more memory than they do. */
export class RequestsOnce {
  readonly all: Exchange[] = [];
  /** Of each exchange, a hash of the id of its request. */
  #hashes: Int32Array;
  /** Places of exchanges, +1, from their hash on; 0 where there is none. */
  #slots: Int32Array;

  /** @param expected how many there may be: a table for more is made where more come, and for a while takes memory beside the one before. */
  constructor(expected = 0) {
    const places = 1 << Math.max(10, Math.ceil(Math.log2(expected)));
    this.#hashes = new Int32Array(places);
    this.#slots = new Int32Array(2 * places);
  }

  /** The place of the exchange of a request among all; -1 where there is none. */
  find(requestId: string): number {
    return this.#placeOf(requestId, hashOf(requestId));
  }

  /** Takes an exchange, unless there is one of its request: gives the place of that, and -1 where it was taken. */
  add(exchange: Exchange): number {
    const { requestId } = exchange;
    const hash = hashOf(requestId);
    const before = this.#placeOf(requestId, hash);
    if (before !== -1) return before;
    const at = this.all.push(exchange) - 1;
    if (at === this.#hashes.length) this.#grow();
    this.#hashes[at] = hash;
    this.#enter(at);
    return -1;
  }

  #placeOf(requestId: string, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const at = (this.#slots[slot] as number) - 1;
      if (at < 0) return -1;
      if (this.#hashes[at] === hash && this.all[at]?.requestId === requestId) return at;
    }
  }

  #enter(at: number): void {
    const mask = this.#slots.length - 1;
    let slot = (this.#hashes[at] as number) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = at + 1;
  }

  /** There are twice as many slots as places: a search soon comes to one that is free. */
  #grow(): void {
    const before = this.#hashes;
    this.#hashes = new Int32Array(2 * before.length);
    this.#hashes.set(before);
    this.#slots = new Int32Array(2 * this.#hashes.length);
    for (const at of before.keys()) this.#enter(at);
  }
}

/** FNV-1a of the text's characters, its upper half mixed into the lower one. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 16);
}
