/** A row of a file: some bytes of a buffer. Asking for the next row overwrites it. */
export type ByteRow = {
  readonly bytes: Uint8Array;
  readonly from: number;
  /** Looked for where it is asked for; who has read the row knows where it ends, and may say so. */
  to: number;
  /** Whether a line break follows; it does after all rows but the last. */
  readonly isEnded: boolean;
};

/** The rows of a file from its bytes, some at a time; the last one is what follows the last line break. */
export function* byteRows(chunks: Iterable<Uint8Array>): Generator<ByteRow> {
  let bytes = new Uint8Array(0);
  let held = 0;
  const row = new EndedRow();
  for (const chunk of chunks) {
    if (held + chunk.length > bytes.length) bytes = longer(bytes, held, chunk.length);
    bytes.set(chunk, held);
    const filled = held + chunk.length;
    const last = chunk.lastIndexOf(lineBreak);
    const end = last === -1 ? -1 : held + last;
    let from = 0;
    // In what was held before there is no line break: a row longer than a chunk is looked through once.
    let looked = held;
    while (from <= end) {
      row.begin(bytes, from, looked);
      yield row;
      from = row.to + 1;
      looked = from;
    }
    if (from > 0) bytes.copyWithin(0, from, filled);
    held = filled - from;
  }
  yield { bytes, from: 0, to: held, isEnded: false };
}

/** A row behind which a line break stands. */
class EndedRow implements ByteRow {
  readonly isEnded = true;
  bytes = new Uint8Array(0);
  from = 0;
  #looked = 0;
  #to = -1;

  /** @param looked up to where it has no line break. */
  begin(bytes: Uint8Array<ArrayBuffer>, from: number, looked: number): void {
    this.bytes = bytes;
    this.from = from;
    this.#looked = looked;
    this.#to = -1;
  }

  get to(): number {
    if (this.#to === -1) this.#to = this.bytes.indexOf(lineBreak, this.#looked);
    return this.#to;
  }

  set to(end: number) {
    this.#to = end;
  }
}

/** The text of a row; a byte order mark is kept, since it is no JSON in whatever size of file. */
export function textOf({ bytes, from, to }: ByteRow): string {
  return decoder.decode(bytes.subarray(from, to));
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export const lineBreak = 10;

function longer(bytes: Uint8Array<ArrayBuffer>, held: number, more: number): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(2 * (held + more));
  next.set(bytes.subarray(0, held));
  return next;
}
