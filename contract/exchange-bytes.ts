import { type ByteRow, lineBreak } from './byte-rows.ts';
import type { Exchange } from './exchange.ts';
import { begins, JsonBytes, unread } from './json-bytes.ts';
import type { Texts } from './texts.ts';

/** Fields whose values many exchanges have in common. */
export const sharedFields = [
  'driver',
  'scenario',
  'clock',
  'scope',
  'route',
  'credential',
  'node',
  'purpose',
  'method',
  'path',
  'cost',
  'sentOnce',
  'status',
  'contentType',
  'server',
  'bodyState',
  'failure',
  'outcome',
] as const satisfies readonly (keyof Exchange)[];

/** Of shared fields: absent, and `null` where a number may stand. No node and no status is so small. */
export const [absent, noNumber] = [-(2 ** 31), 1 - 2 ** 31];

/** How the value of a field is read. */
type Reading = 'index' | 'id' | 'number' | 'number-or-null' | 'text-or-null' | 'small-or-null' | 'true';

/** Fields that each exchange has of its own, in the order of their places. */
const own = {
  index: 'index',
  /** Two places: the number of its text, and the number after it. */
  requestId: 'id',
  idNumber: 'number',
  sentMs: 'number',
  receivedMs: 'number-or-null',
  wallSentMs: 'number-or-null',
  wallReceivedMs: 'number-or-null',
  latencyMs: 'number-or-null',
  key: 'text-or-null',
  limit: 'text-or-null',
  remaining: 'text-or-null',
  reset: 'text-or-null',
  retryAfter: 'text-or-null',
  date: 'text-or-null',
  body: 'text-or-null',
} as const satisfies Record<string, Reading>;

const ownNames = Object.keys(own) as (keyof typeof own)[];

/** The place of each of them. */
export const placeOf = Object.fromEntries(ownNames.map((name, at) => [name, at])) as Readonly<
  Record<keyof typeof own, number>
>;

/** From here on, a place for each of `sharedFields`: a number that stands there, or that of a text. */
export const sharedFrom = ownNames.length;

const sharedReadings: Readonly<Partial<Record<(typeof sharedFields)[number], Reading>>> = {
  node: 'small-or-null',
  status: 'small-or-null',
  cost: 'small-or-null',
  sentOnce: 'true',
};

/**
 * What was read of a line, by place; the next line overwrites it. Of moments NaN stands for `null`, and an infinite
 * latency for none; a text stands there by its number, 0 for `null`.
 */
export type ReadExchange = Float64Array;

/** Lines whose fields stand in one order: what stands before each value, and how it is read. */
type Shape = {
  readonly before: readonly Uint8Array[];
  readonly places: readonly number[];
  readonly readings: readonly Reading[];
  readonly after: Uint8Array;
  readonly last: Last;
};

/**
 * Where each step of a shape was read last, in the bytes at hand: what stands before the value, and the value. Most of a line
 * is what stood in the one before, and eight bytes at a time are soon compared.
 */
type Last = {
  /** `nowhere` where it was not read in these bytes. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** What was read there. */
  readonly values: Float64Array;
  /** How long the last line was; 0 before the first. */
  length: number;
};

const nowhere = -1;

/** Traces of a run have exchanges of few shapes: with and without a scenario, with and without a body. */
const shapesMax = 8;

/**
 * Reads exchanges from the bytes of their lines, as JSON.parse would, in half of its time: lines whose fields stand in
 * the order of a line before it, and whose values are plain. Of all others it says that it cannot.
 */
export class ExchangeBytes {
  readonly #json: JsonBytes;
  readonly #shapes: Shape[] = [];
  readonly #known = new Set<string>();
  #view: DataView = new DataView(new ArrayBuffer(0));
  #bytes: Uint8Array = new Uint8Array(0);
  #from = 0;
  /** So many bytes, from the step on that differs from where it was read last, are still the same. */
  #same = 0;

  constructor(texts: Texts) {
    this.#json = new JsonBytes(texts, sharedFrom + sharedFields.length);
  }

  /** `null` where the line has to be parsed; else says where it ends. To be asked about each row of a file, from the first on. */
  read(row: ByteRow): ReadExchange | null {
    const { bytes, from } = row;
    // The line break bounds every value.
    if (!row.isEnded) return null;
    this.#hold(bytes, from);
    const shapes = this.#shapes;
    for (let at = 0; at < shapes.length; at += 1) {
      const shape = shapes[at] as Shape;
      const to = this.#endOf(shape, from);
      if (to === unread) continue;
      row.to = to;
      if (at > 0) [shapes[0], shapes[at]] = [shape, shapes[0] as Shape];
      return shape.last.values;
    }
    return null;
  }

  /** Reads lines like this one from now on, where it says each thing once and as JSON.stringify writes it. */
  learn(row: string, exchange: Exchange): void {
    const names = Object.keys(exchange).map((name) =>
      name === 'headers' ? `headers ${Object.keys(exchange.headers).join(' ')}` : name,
    );
    const id = names.join(',');
    if (this.#known.has(id) || this.#shapes.length === shapesMax) return;
    if (!isOfExchange(exchange) || JSON.stringify(exchange) !== row) return;
    this.#known.add(id);
    this.#shapes.push(shapeOf(exchange));
  }

  /** Rows of the same bytes stand one behind another; the first after these were overwritten stands before the last of them. */
  #hold(bytes: Uint8Array, from: number): void {
    const isSame = bytes === this.#bytes && from > this.#from;
    this.#from = from;
    if (isSame) return;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (const { last } of this.#shapes) last.from.fill(nowhere);
  }

  /** Where a line of a shape ends that begins there; `unread` where none does that can be read. */
  #endOf({ before, places, readings, after, last }: Shape, from: number): number {
    const bytes = this.#bytes;
    this.#json.values = last.values;
    let at = from;
    for (let step = 0; step < places.length; step += 1) {
      const next = this.#firstThatDiffers(last, step, at);
      if (next > step) at = last.to[next - 1] as number;
      if (next === places.length) break;
      step = next;
      const expected = before[step] as Uint8Array;
      if (this.#same < expected.length && !begins(bytes, at, expected)) return unread;
      last.from[step] = nowhere;
      const [place, reading] = [places[step] as number, readings[step] as Reading];
      const end = this.#value(bytes, at + expected.length, place, reading);
      if (end === unread) return unread;
      last.from[step] = at;
      last.to[step] = end;
      at = end;
    }
    const end = at + after.length;
    if (!begins(bytes, at, after) || bytes[end] !== lineBreak) return unread;
    last.length = end - from;
    return end;
  }

  /** Passes the steps from one on that are what they were where they were read last: their values are then what they were. */
  #firstThatDiffers({ from, to, length }: Last, first: number, at: number): number {
    this.#same = 0;
    const before = from[first] as number;
    if (before === nowhere) return first;
    const view = this.#view;
    const same = before + sameBytes(view, at, before, Math.min(length, view.byteLength - at));
    let [step, end] = [first, before];
    // A number is the same where what follows it is too.
    while (from[step] === end && (to[step] as number) < same) {
      end = to[step] as number;
      from[step] = (from[step] as number) + at - before;
      to[step] = end + at - before;
      step += 1;
    }
    if (from[step] === end) this.#same = same - end;
    return step;
  }

  #value(bytes: Uint8Array, at: number, place: number, reading: Reading): number {
    const json = this.#json;
    switch (reading) {
      case 'text-or-null':
        return json.textOrNull(bytes, at, place);
      case 'number-or-null':
        return json.numberOrNull(bytes, at, place);
      case 'number':
        return json.number(bytes, at, place);
      case 'id':
        return json.numberedText(bytes, at, place);
      case 'index': {
        const end = json.number(bytes, at, place);
        const value = json.values[place] as number;
        return Number.isSafeInteger(value) && value >= 0 ? end : unread;
      }
      case 'small-or-null': {
        const end = json.numberOrNull(bytes, at, place);
        const value = json.values[place] as number;
        if (Number.isNaN(value)) json.values[place] = noNumber;
        // That number stands for none at all; `absent` leaves a field out that no exchange may lack.
        return value === noNumber ? unread : end;
      }
      case 'true':
        json.values[place] = 1;
        return begins(bytes, at, trueBytes) ? at + trueBytes.length : unread;
      default:
        return reading satisfies never;
    }
  }
}

function shapeOf(exchange: Exchange): Shape {
  const shape = { before: [] as Uint8Array[], places: [] as number[], readings: [] as Reading[] };
  let before = '{"kind":"exchange"';
  const add = (name: string): void => {
    shape.before.push(encoder.encode(before));
    const isOwn = Object.hasOwn(own, name);
    const shared = name as (typeof sharedFields)[number];
    shape.places.push(isOwn ? placeOf[name as keyof typeof own] : sharedFrom + sharedFields.indexOf(shared));
    shape.readings.push(isOwn ? own[name as keyof typeof own] : (sharedReadings[shared] ?? 'text-or-null'));
    before = '';
  };
  for (const name of Object.keys(exchange).slice(1)) {
    before += `,"${name}":`;
    if (name !== 'headers') add(name);
    else {
      Object.keys(exchange.headers).forEach((header, at) => {
        before += `${at === 0 ? '{' : ','}"${header}":`;
        add(header);
      });
      before = '}';
    }
  }
  const { length } = shape.places;
  const values = new Float64Array(sharedFrom + sharedFields.length).fill(absent, sharedFrom);
  values[placeOf.latencyMs] = Number.POSITIVE_INFINITY;
  const last = { from: new Int32Array(length).fill(nowhere), to: new Int32Array(length), values, length: 0 };
  return { ...shape, after: encoder.encode(`${before}}`), last };
}

/** How many bytes, of so many, are the same at two places. */
function sameBytes(view: DataView, one: number, other: number, length: number): number {
  const whole = length - 7;
  let same = 0;
  while (same < whole && view.getBigInt64(one + same, true) === view.getBigInt64(other + same, true))
    same += 8;
  while (same < length && view.getUint8(one + same) === view.getUint8(other + same)) same += 1;
  return same;
}

const encoder = new TextEncoder();
const trueBytes = encoder.encode('true');

const known: ReadonlySet<string> = new Set([
  ...['kind', 'index', 'requestId', 'sentMs', 'receivedMs', 'wallSentMs', 'wallReceivedMs', 'latencyMs'],
  ...['key', 'headers', 'retryAfter', 'date', 'body'],
  ...sharedFields,
]);

/** Whether all fields of a value that is an exchange are known. */
function isOfExchange(exchange: Exchange): boolean {
  const headers = Object.keys(exchange.headers);
  return Object.keys(exchange).every((name) => known.has(name)) && headers.length === 3;
}
