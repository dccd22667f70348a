import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Reads a file's lines while another process appends to it. */
export type ConsoleFile = {
  /**
   * Reads the rest and closes the file. A last line without a line break was cut off and is dropped.
   * @throws what `onLine` threw.
   */
  readonly finish: () => Promise<void>;
};

const pollMs = 100;
const chunkBytes = 256 * 1024;

/** A longer line is not an exchange: exchanges are bounded far below. */
const lineBytesMax = 1024 * 1024;

/**
 * The file must exist. `onLine` gets each line once, in order, without its line break. `onFailure` is called where no more
 * lines are read, because `onLine` threw or the file cannot be read.
 */
export async function followLines(
  path: string,
  onLine: (line: string) => void,
  onFailure: () => void = () => undefined,
): Promise<ConsoleFile> {
  const file = await open(path, 'r');
  const split = lineSplitter(onLine);
  const stopped = new AbortController();
  let failure: unknown = null;
  const following = follow(file, split, stopped.signal).catch((error: unknown) => {
    // Kept until `finish` is awaited: before that nobody would handle it.
    failure = error;
    onFailure();
  });
  return {
    async finish(): Promise<void> {
      stopped.abort();
      try {
        await following;
        if (failure !== null) throw failure;
        await readAll(file, split);
      } finally {
        await file.close();
      }
    },
  };
}

type Splitter = (chunk: Buffer) => void;

async function follow(file: FileHandle, split: Splitter, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    await readAll(file, split);
    await delay(pollMs, undefined, { signal: stopped }).catch(() => null);
  }
}

async function readAll(file: FileHandle, split: Splitter): Promise<void> {
  const chunk = Buffer.alloc(chunkBytes);
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, null);
    if (bytesRead === 0) return;
    split(chunk.subarray(0, bytesRead));
  }
}

/** Splits bytes at line breaks before it decodes them: the end of a chunk may cut a character. */
export function lineSplitter(onLine: (line: string) => void): Splitter {
  let rest: Buffer[] = [];
  let restBytes = 0;
  return (chunk) => {
    let from = 0;
    for (;;) {
      const to = chunk.indexOf(0x0a, from);
      if (to === -1) break;
      onLine(Buffer.concat([...rest, chunk.subarray(from, to)]).toString('utf8'));
      rest = [];
      restBytes = 0;
      from = to + 1;
    }
    if (restBytes > lineBytesMax) return;
    restBytes += chunk.length - from;
    rest.push(Buffer.from(chunk.subarray(from)));
  };
}
