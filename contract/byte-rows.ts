/** A row of a file: some bytes of a buffer. Asking for the next row overwrites it. */
export type ByteRow = {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  /** Whether a line break follows; it does after all rows but the last. */
  readonly isEnded: boolean;
};

/** The rows of a file from its bytes, some at a time; the last one is what follows the last line break. */
export function* byteRows(chunks: Iterable<Uint8Array>): Generator<ByteRow> {
  let bytes = new Uint8Array(0);
  let held = 0;
  const row = { bytes, from: 0, to: 0, isEnded: true };
  for (const chunk of chunks) {
    if (held + chunk.length > bytes.length) bytes = longer(bytes, held, chunk.length);
    bytes.set(chunk, held);
    const filled = held + chunk.length;
    row.bytes = bytes;
    let from = 0;
    // Up to here there is no line break: a row longer than a chunk is looked through once.
    let looked = held;
    // What lies behind is left from before.
    const whole = bytes.subarray(0, filled);
    for (let to = whole.indexOf(lineBreak, looked); to !== -1; to = whole.indexOf(lineBreak, looked)) {
      row.from = from;
      row.to = to;
      yield row;
      from = to + 1;
      looked = from;
    }
    if (from > 0) bytes.copyWithin(0, from, filled);
    held = filled - from;
  }
  yield { bytes, from: 0, to: held, isEnded: false };
}

/** The text of a row; a byte order mark is kept, since it is no JSON in whatever size of file. */
export function textOf({ bytes, from, to }: ByteRow): string {
  return decoder.decode(bytes.subarray(from, to));
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const lineBreak = 10;

function longer(bytes: Uint8Array<ArrayBuffer>, held: number, more: number): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(2 * (held + more));
  next.set(bytes.subarray(0, held));
  return next;
}
