import type { Dispatcher } from 'undici';

type Body = Dispatcher.DispatchOptions['body'];

/** A request's body as it can be sent: `replayable` ones more than once. */
export type PreparedBody = { readonly body: Body; readonly replayable: boolean };

/** A body that is being read, or was. */
export type BodyReading = {
  /** Rejects with what its source throws. */
  readonly prepared: Promise<PreparedBody>;
  /** Closes its source, unless that has ended: nobody sends it any more. */
  giveUp(reason: Error): void;
};

/**
 * Makes a body that can be sent again, where that costs at most `bytesMax`. Strings, buffers, forms and blobs can be as
 * they are; of a stream or an iterable, which `fetch` makes of every body, up to `bytesMax` are read and kept. A longer
 * one is sent as it comes, once.
 */
export function readBody(body: unknown, bytesMax: number): BodyReading {
  if (!isConsumed(body)) {
    return {
      prepared: Promise.resolve({ body: body as Body, replayable: true }),
      giveUp: () => undefined,
    };
  }
  const reading: Reading = { source: iteratorOf(body), givenUp: null, isDone: false };
  return {
    prepared: prepare(reading, bytesMax),
    giveUp(reason) {
      if (reading.givenUp !== null || reading.isDone) return;
      reading.givenUp = reason;
      close(body, reading.source, reason);
    },
  };
}

type Reading = { readonly source: Source; givenUp: Error | null; isDone: boolean };

async function prepare(reading: Reading, bytesMax: number): Promise<PreparedBody> {
  const { source } = reading;
  const kept: Buffer[] = [];
  let bytes = 0;
  for (let next = await source.next(); next.done !== true; next = await source.next()) {
    if (reading.givenUp !== null) throw reading.givenUp;
    const chunk = bufferOf(next.value);
    kept.push(chunk);
    bytes += chunk.length;
    // undici takes any iterable of buffers, which its types do not say.
    if (bytes > bytesMax) return { body: resumed(kept, source) as unknown as Body, replayable: false };
  }
  reading.isDone = true;
  return { body: Buffer.concat(kept), replayable: true };
}

/** A stream that gives nothing has to be destroyed: the end of its iterator would wait for what it gives next. */
function close(body: object, source: Source, reason: Error): void {
  if ('destroy' in body && typeof body.destroy === 'function') {
    // Its owner hears of it, if there is one; without one, it would end the process.
    if ('on' in body && typeof body.on === 'function') body.on('error', ignore);
    body.destroy(reason);
    return;
  }
  void ended(source);
}

/** What fails while nobody wants it is nobody's. */
async function ended(source: Source): Promise<void> {
  try {
    await source.return?.();
  } catch {
    // nothing is sent
  }
}

function ignore(): void {
  // see `close`
}

type Source = AsyncIterator<unknown> | Iterator<unknown>;

/** Whether reading a body uses it up. */
function isConsumed(body: unknown): body is AsyncIterable<unknown> | Iterable<unknown> {
  if (typeof body !== 'object' || body === null) return false;
  if (ArrayBuffer.isView(body) || body instanceof ArrayBuffer) return false;
  // undici checks forms and blobs the same way: several classes go by these names.
  const tag = Object.prototype.toString.call(body);
  if (tag === '[object FormData]' || tag === '[object Blob]' || tag === '[object File]') return false;
  return Symbol.asyncIterator in body || Symbol.iterator in body;
}

function iteratorOf(body: AsyncIterable<unknown> | Iterable<unknown>): Source {
  return Symbol.asyncIterator in body ? body[Symbol.asyncIterator]() : body[Symbol.iterator]();
}

async function* resumed(kept: readonly Buffer[], source: Source): AsyncGenerator<Buffer> {
  try {
    yield* kept;
    for (let next = await source.next(); next.done !== true; next = await source.next())
      yield bufferOf(next.value);
  } finally {
    await source.return?.();
  }
}

function bufferOf(chunk: unknown): Buffer {
  if (typeof chunk === 'string') return Buffer.from(chunk);
  if (ArrayBuffer.isView(chunk)) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  if (chunk instanceof ArrayBuffer) return Buffer.from(chunk);
  throw new TypeError('a streamed body must yield strings or buffers');
}
