import type { ByteRow } from './byte-rows.ts';
import type { Exchange } from './exchange.ts';
import { ExchangeBytes } from './exchange-bytes.ts';
import { ExchangeStore, idOfRead } from './exchange-store.ts';
import { inOrder } from './fits-exchange.ts';

/** What became of an exchange: its place, or that of the one before of its request, and whether they say the same. */
export type Taken =
  | { readonly kind: 'first'; readonly at: number }
  | { readonly kind: 'again' | 'differs'; readonly before: number };

/** Exchanges that are read row by row, from their bytes where that can be: each request once, as columns. */
export class ExchangeRows {
  readonly store = new ExchangeStore();
  readonly #bytes = new ExchangeBytes(this.store.texts);

  /**
   * The place of the exchange that a row is; -1 where the row has to be parsed, or is not the first of its request. To be
   * asked about each row of a file, from the first on.
   */
  takeBytes(row: ByteRow, line: number): number {
    const read = this.#bytes.read(row);
    if (read === null) return -1;
    const shared = this.store.findId(idOfRead(read)) === -1 ? this.store.sharedOfRead(read) : null;
    return shared === null ? -1 : this.store.addRead(read, shared, line);
  }

  /** Takes an exchange that was parsed from its row; rows like it are read from their bytes from now on. */
  take(exchange: Exchange, { text, line }: { readonly text: string; readonly line: number }): Taken {
    this.#bytes.learn(text, exchange);
    const before = this.store.find(exchange.requestId);
    if (before === -1) return { kind: 'first', at: this.store.add(exchange, line) };
    const isSame = JSON.stringify(this.store.exchangeAt(before)) === JSON.stringify(inOrder(exchange));
    return { kind: isSame ? 'again' : 'differs', before };
  }
}
