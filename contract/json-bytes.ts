import type { Texts } from './texts.ts';

/** No place in any bytes: what stands there is left to JSON.parse. */
export const unread = -1;

/**
 * Reads values of JSON from bytes, each into a place of `values`. Whatever is rare is left to JSON.parse: then the answer
 * is `unread`, else where the value ends.
 */
export class JsonBytes {
  /** Numbers, NaN for `null`; and numbers of texts, 0 for `null`. */
  values: Float64Array;
  readonly #texts: Texts;
  /** Texts that were read, at the place that their bytes give; another one of that place takes it. */
  readonly #known: (Known | undefined)[] = new Array<Known | undefined>(knownMax);
  /** For each place of `values` the text that was read last: often it is the next one too. */
  readonly #last: Known[];

  constructor(texts: Texts, places: number) {
    this.#texts = texts;
    this.values = new Float64Array(places);
    this.#last = Array.from({ length: places }, () => none);
  }

  number(bytes: Uint8Array, from: number, place: number): number {
    const isNegative = bytes[from] === minus;
    const first = isNegative ? from + 1 : from;
    let [high, low, part, places] = [0, 0, 0, 0];
    let at = first;
    // Two halves of nine digits are small numbers, which take less time.
    for (; at < first + halfDigits && isDigit(bytes[at] as number); at += 1)
      high = Math.imul(high, 10) + (bytes[at] as number) - zero;
    for (; isDigit(bytes[at] as number); at += 1)
      low = (Math.imul(low, 10) + (bytes[at] as number) - zero) | 0;
    const digits = at - first;
    // 0 begins a number only where it stands alone before a point.
    if (digits === 0 || (digits > 1 && bytes[first] === zero)) return unread;
    if (bytes[at] === point) {
      const pointAt = at;
      for (at += 1; isDigit(bytes[at] as number); at += 1)
        part = (Math.imul(part, 10) + (bytes[at] as number) - zero) | 0;
      places = at - pointAt - 1;
      if (places === 0) return unread;
    }
    // An exponent is none of what follows a value: such a line is left to JSON.parse.
    const whole = digits <= halfDigits ? high : high * (powers[digits - halfDigits] as number) + low;
    const value = doubleOf({ whole, digits, part, places }) ?? Number(latin(bytes, first, at));
    this.values[place] = isNegative ? -value : value;
    return value === Number.POSITIVE_INFINITY ? unread : at;
  }

  numberOrNull(bytes: Uint8Array, at: number, place: number): number {
    if (!isNull(bytes, at)) return this.number(bytes, at, place);
    this.values[place] = Number.NaN;
    return at + nullLength;
  }

  textOrNull(bytes: Uint8Array, at: number, place: number): number {
    if (bytes[at] === quote) {
      const { raw, number } = this.#last[place] as Known;
      const end = at + 1 + raw.length;
      if (bytes[end] !== quote || !begins(bytes, at + 1, raw)) return this.#text(bytes, at, place);
      this.values[place] = number;
      return end + 1;
    }
    if (!isNull(bytes, at)) return unread;
    this.values[place] = 0;
    return at + nullLength;
  }

  /** A text without the number at its end, and that number in the place after it: -1 where there is none. */
  numberedText(bytes: Uint8Array, from: number, place: number): number {
    if (bytes[from] !== quote) return unread;
    let end = from + 1;
    while (isPlain(bytes[end] as number)) end += 1;
    if (bytes[end] !== quote) return unread;
    const digitsFrom = from + 1 + numberFrom(end - from - 1, (at) => bytes[from + 1 + at] as number);
    let number = digitsFrom === end ? -1 : 0;
    for (let at = digitsFrom; at < end; at += 1) number = (10 * number + (bytes[at] as number) - zero) | 0;
    this.values[place + 1] = number;
    const { raw, number: last } = this.#last[place] as Known;
    if (raw.length === digitsFrom - from - 1 && begins(bytes, from + 1, raw)) this.values[place] = last;
    else this.#remember(bytes, { from: from + 1, to: digitsFrom, place }, 0);
    return end + 1;
  }

  #text(bytes: Uint8Array, from: number, place: number): number {
    let hash = 0;
    let at = from + 1;
    for (let byte = bytes[at] as number; byte !== quote; byte = bytes[at] as number) {
      // An escaped character is never the end.
      if (byte === backslash) {
        hash = (Math.imul(hash, 31) + byte) | 0;
        at += 1;
        byte = bytes[at] as number;
      }
      // Characters of several bytes, control characters and the line break are for JSON.parse.
      if (byte < space || byte >= beyondAscii) return unread;
      hash = (Math.imul(hash, 31) + byte) | 0;
      at += 1;
    }
    return this.#remember(bytes, { from: from + 1, to: at, place }, hash) ? at + 1 : unread;
  }

  /** Finds the number of a text, given by its bytes between the quotes, or gives it one. */
  #remember(bytes: Uint8Array, { from, to, place }: TextAt, hash: number): boolean {
    const slot = (hash ^ (hash >>> 15)) & (knownMax - 1);
    const before = this.#known[slot];
    const isKnown = before?.raw.length === to - from && begins(bytes, from, before.raw);
    const known = isKnown ? before : this.#textOf(bytes, from, to);
    if (known === null) return false;
    this.values[place] = known.number;
    // Longer texts are rarely the same, and together would take much memory.
    if (to - from <= knownLengthMax) {
      this.#known[slot] = known;
      this.#last[place] = known;
    }
    return true;
  }

  #textOf(bytes: Uint8Array, from: number, to: number): Known | null {
    const text = parsedText(latin(bytes, from, to));
    return text === null ? null : { raw: bytes.slice(from, to), number: this.#texts.numberOf(text) };
  }
}

type TextAt = { readonly from: number; readonly to: number; readonly place: number };

type Known = { readonly raw: Uint8Array; readonly number: number };

/** Stands for no text: no bytes are equal to it. */
const none: Known = { raw: new Uint8Array([0]), number: 0 };

const knownMax = 1 << 12;
const knownLengthMax = 1_024;
const halfDigits = 9;
/** Integers of so many digits are exact. */
const exactDigits = 15;

const [zero, point, minus, quote, backslash, space] = [48, 46, 45, 34, 92, 32];
const [beyondAscii, nullLength] = [128, 4];

/** Powers of ten that a double holds exactly. */
const powers = Array.from({ length: 23 }, (_, places) => Number(`1e${places}`));

/** Whether these bytes stand there. */
export function begins(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let next = 0; next < expected.length; next += 1) if (bytes[at + next] !== expected[next]) return false;
  return true;
}

function parsedText(raw: string): string | null {
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    // An escape that there is none of.
    return null;
  }
}

function latin(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at += 1) text += String.fromCharCode(bytes[at] as number);
  return text;
}

type Spelling = {
  /** What stands before the point, and of how many digits. */
  readonly whole: number;
  readonly digits: number;
  /** What stands behind it, as an integer, and of how many digits. */
  readonly part: number;
  readonly places: number;
};

/**
 * The double that is nearest to a number, where so many digits are exact; else `null`. Two exact ones give one that is rounded once,
 * as it should be (Clinger 1990). A moment of the clock has more digits than that: there the part behind the point is
 * rounded first, by less than 2 ** -53. It can lie no nearer to the middle between two doubles, which is a multiple of
 * 2 ** -13 from 2 ** 40 on, than 1 / (10 ** 9 × 2 ** 13), unless it is that middle, which is exact.
 */
function doubleOf({ whole, digits, part, places }: Spelling): number | null {
  if (digits > exactDigits || places > halfDigits) return null;
  if (places === 0) return whole;
  const power = powers[places] as number;
  if (whole >= 2 ** 40) return whole + part / power;
  const counted = whole * power + part;
  return counted <= Number.MAX_SAFE_INTEGER ? counted / power : null;
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= zero + 9;
}

/** A character of ASCII that stands for itself. */
function isPlain(byte: number): boolean {
  return byte >= space && byte < beyondAscii && byte !== quote && byte !== backslash;
}

function isNull(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 110 && bytes[at + 1] === 117 && bytes[at + 2] === 108 && bytes[at + 3] === 108;
}

/** Where the number at the end of a text begins; at its end, where it ends in none. */
export function numberFrom(length: number, codeAt: (at: number) => number): number {
  // More digits would not fit into a column.
  const least = Math.max(0, length - halfDigits);
  let from = length;
  while (from > least && isDigit(codeAt(from - 1))) from -= 1;
  // A number that began with 0 would lose it.
  while (from < length - 1 && codeAt(from) === zero) from += 1;
  return from;
}
