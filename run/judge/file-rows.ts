import { closeSync, openSync, readSync } from 'node:fs';

/** Bytes that are read at a time. */
const chunkBytes = 1 << 16;

/** The rows of a file, one after another without their line breaks, as `contract/ndjson.ts` reads them. */
export function* fileRows(path: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    const decoder = new TextDecoder();
    const chunk = Buffer.alloc(chunkBytes);
    let rest = '';
    for (let bytes = readSync(file, chunk); bytes > 0; bytes = readSync(file, chunk)) {
      const rows = (rest + decoder.decode(chunk.subarray(0, bytes), { stream: true })).split('\n');
      rest = rows.pop() ?? '';
      yield* rows;
    }
    yield rest + decoder.decode();
  } finally {
    closeSync(file);
  }
}
