import { closeSync, openSync, readSync } from 'node:fs';

/** Bytes that are read at a time. */
const chunkBytes = 1 << 16;

/** The bytes of a file, some at a time: what was given before is overwritten. */
export function* fileBytes(path: string): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.alloc(chunkBytes);
    for (let bytes = readSync(file, chunk); bytes > 0; bytes = readSync(file, chunk))
      yield chunk.subarray(0, bytes);
  } finally {
    closeSync(file);
  }
}

/** The rows of a file, one after another without their line breaks, as `contract/ndjson.ts` reads them. */
export function* fileRows(path: string): Generator<string> {
  // A byte order mark is no JSON, in whatever size of file.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  // Put together at its end alone: a row longer than many chunks is otherwise copied with each of them.
  let held: string[] = [];
  for (const bytes of fileBytes(path)) {
    const rows = decoder.decode(bytes, { stream: true }).split('\n');
    if (rows.length > 1) {
      rows[0] = held.join('') + rows[0];
      held = [];
    }
    held.push(rows.pop() ?? '');
    yield* rows;
  }
  yield held.join('') + decoder.decode();
}
