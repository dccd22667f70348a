import type { Exchange } from './exchange.ts';
import { placeOf, type ReadExchange } from './exchange-bytes.ts';
import type { Shared } from './shared-parts.ts';
import type { Texts } from './texts.ts';

/** How many exchanges a chunk holds. */
export const chunkRows = 4_096;

/** Some thousand exchanges. Of moments, NaN stands for `null`, and of latencies infinity for none at all. */
export type Chunk = {
  readonly texts: readonly (string | null)[];
  readonly common: readonly Shared[];
  /** Whether its numbers are longer than short ones. */
  isWide: boolean;
  /** Of what they have in common, the number. */
  shared: Numbers;
  index: Uint32Array | Float64Array;
  readonly sentMs: Float64Array;
  readonly receivedMs: Float64Array;
  wallSentMs: Float64Array;
  wallReceivedMs: Float64Array;
  latencyMs: Float64Array | null;
  key: Numbers;
  limit: Numbers;
  remaining: Numbers;
  reset: Numbers;
  retryAfter: Numbers;
  date: Numbers;
  body: Numbers;
  /** A request id is a text, and a number after it where it ends in one; -1 where it does not. */
  idText: Numbers;
  readonly idNumber: Int32Array;
};

/** Numbers of texts, or of what exchanges have in common. */
export type Numbers = Uint16Array | Int32Array;

/** So many new texts an exchange has at most that are numbered while it is put into its row. */
export const newEach = 8;

/** What a Uint16Array can hold. */
export const shortMax: number = 2 ** 16 - 1;

/** What a Uint32Array can hold. */
const longMax = 2 ** 32 - 1;

export function emptyChunk(texts: Chunk['texts'], common: Chunk['common']): Chunk {
  const numbers = (): Numbers => new Uint16Array(chunkRows);
  const [sentMs, receivedMs] = [new Float64Array(chunkRows), new Float64Array(chunkRows)];
  return {
    texts,
    common,
    isWide: false,
    shared: numbers(),
    index: new Uint32Array(chunkRows),
    sentMs,
    receivedMs,
    wallSentMs: sentMs,
    wallReceivedMs: receivedMs,
    latencyMs: null,
    key: numbers(),
    limit: numbers(),
    remaining: numbers(),
    reset: numbers(),
    retryAfter: numbers(),
    date: numbers(),
    body: numbers(),
    idText: numbers(),
    idNumber: new Int32Array(chunkRows),
  };
}

const numberColumns = [
  'shared',
  'key',
  'limit',
  'remaining',
  'reset',
  'retryAfter',
  'date',
  'body',
  'idText',
] as const;

/** Few traces have more texts than a short number can tell apart. */
export function widen(chunk: Chunk): void {
  for (const column of numberColumns) chunk[column] = Int32Array.from(chunk[column]);
  chunk.isWide = true;
}

function putIndex(chunk: Chunk, row: number, index: number): void {
  if (index > longMax && chunk.index instanceof Uint32Array) chunk.index = Float64Array.from(chunk.index);
  chunk.index[row] = index;
}

/** The wall clock of clients that have none. */
const never = new Float64Array(chunkRows).fill(Number.NaN);

type WallMs = { readonly sent: number; readonly received: number };

/** Of a client with one clock, or without a wall clock, its moments stand in no column of their own. */
function putWall(chunk: Chunk, row: number, { sent, received }: WallMs): void {
  chunk.wallSentMs = withMoment(chunk.wallSentMs, { like: chunk.sentMs, row, ms: sent });
  chunk.wallReceivedMs = withMoment(chunk.wallReceivedMs, { like: chunk.receivedMs, row, ms: received });
}

type Moment = { readonly like: Float64Array; readonly row: number; readonly ms: number };

/** A column that borrows another one as long as it says the same, with one moment more. */
function withMoment(column: Float64Array, { like, row, ms }: Moment): Float64Array {
  if (row === 0 && Number.isNaN(ms)) return never;
  const isBorrowed = column === like || column === never;
  if (isBorrowed && Object.is(column[row], ms)) return column;
  const own = isBorrowed ? column.slice() : column;
  own[row] = ms;
  return own;
}

type Row = { readonly row: number; readonly exchange: Exchange; readonly texts: Texts };

/** Puts an exchange into a row, but for its request id and what it has in common with others. */
export function writeRow(chunk: Chunk, { row, exchange, texts }: Row): void {
  const { headers, latencyMs } = exchange;
  putIndex(chunk, row, exchange.index);
  chunk.sentMs[row] = exchange.sentMs;
  chunk.receivedMs[row] = exchange.receivedMs ?? Number.NaN;
  const { wallSentMs, wallReceivedMs } = exchange;
  putWall(chunk, row, { sent: wallSentMs ?? Number.NaN, received: wallReceivedMs ?? Number.NaN });
  if (latencyMs !== undefined) latenciesOf(chunk)[row] = latencyMs ?? Number.NaN;
  chunk.key[row] = texts.numberOf(exchange.key);
  chunk.limit[row] = texts.numberOf(headers.limit);
  chunk.remaining[row] = texts.numberOf(headers.remaining);
  chunk.reset[row] = texts.numberOf(headers.reset);
  chunk.retryAfter[row] = texts.numberOf(exchange.retryAfter);
  chunk.date[row] = texts.numberOf(exchange.date);
  chunk.body[row] = texts.numberOf(exchange.body);
}

/** The same of one that was read from its bytes. */
export function fillFromRead(chunk: Chunk, row: number, read: ReadExchange): void {
  const latencyMs = read[placeOf.latencyMs] as number;
  putIndex(chunk, row, read[placeOf.index] as number);
  chunk.sentMs[row] = read[placeOf.sentMs] as number;
  chunk.receivedMs[row] = read[placeOf.receivedMs] as number;
  const [sent, received] = [placeOf.wallSentMs, placeOf.wallReceivedMs];
  putWall(chunk, row, { sent: read[sent] as number, received: read[received] as number });
  if (latencyMs !== Number.POSITIVE_INFINITY) latenciesOf(chunk)[row] = latencyMs;
  chunk.key[row] = read[placeOf.key] as number;
  chunk.limit[row] = read[placeOf.limit] as number;
  chunk.remaining[row] = read[placeOf.remaining] as number;
  chunk.reset[row] = read[placeOf.reset] as number;
  chunk.retryAfter[row] = read[placeOf.retryAfter] as number;
  chunk.date[row] = read[placeOf.date] as number;
  chunk.body[row] = read[placeOf.body] as number;
}

/** Only some clients measure them. */
function latenciesOf(chunk: Chunk): Float64Array {
  chunk.latencyMs ??= new Float64Array(chunkRows).fill(Number.POSITIVE_INFINITY);
  return chunk.latencyMs;
}
