/** A text that gives a secret away wherever it stands. */
export type Spelling = {
  readonly text: string;
  /** Characters before and after it that hold bits of the secret too: 0 or 1. */
  readonly before: number;
  readonly after: number;
};

/**
 * How a secret may be spelt in a text in small letters whose escapes are resolved: as it is, as hexadecimal or decimal
 * bytes, and as base64 at each of the three places in a group where it may begin, since it may stand behind `Bearer `.
 */
export function spellingsOf(secret: string): readonly Spelling[] {
  const whole = [secret, binaryOf(secret), secret.replaceAll(' ', '+')];
  const found = whole.map((text): Spelling => ({ text, before: 0, after: 0 }));
  for (const escaped of escapedForms(secret)) {
    const bytes = bytesOf(escaped);
    for (const between of ['', ':']) found.push(listed(bytes, 16, between));
    found.push(listed(bytes, 10, ','));
    for (const alphabet of alphabets) {
      for (const offset of [0, 1, 2]) found.push(inBase64(bytes, offset, alphabet));
    }
  }
  const small = found.map((one) => ({ ...one, text: inSmallLetters(one.text) }));
  return [...new Map(small.map((one) => [one.text, one])).values()];
}

/** Small letters, as many as there were letters, so that positions stay. */
export function inSmallLetters(text: string): string {
  // Of all characters, one alone would become two.
  return text.replaceAll('\u0130', 'i').toLowerCase();
}

/** What is encoded once more may have been escaped before. */
function escapedForms(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(secret);
  const smallUrl = url.replace(/%[0-9A-F]{2}/g, (one) => one.toLowerCase());
  return [...new Set([secret, json, json.replaceAll('/', '\\/'), url, smallUrl])];
}

/** A character for each byte of UTF-8. */
function binaryOf(text: string): string {
  return encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_escape, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function bytesOf(text: string): readonly number[] {
  const binary = binaryOf(text);
  return Array.from({ length: binary.length }, (_, at) => binary.charCodeAt(at));
}

function listed(bytes: readonly number[], radix: 10 | 16, between: string): Spelling {
  const digits = bytes.map((byte) => byte.toString(radix).padStart(radix === 16 ? 2 : 1, '0'));
  return { text: digits.join(between), before: 0, after: 0 };
}

const lettersAndDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** RFC 4648 §4 and §5. */
const alphabets = [`${lettersAndDigits}+/`, `${lettersAndDigits}-_`];

/** The digits of base64 that depend on the bytes alone, where `offset` other bytes of a group come before them. */
function inBase64(bytes: readonly number[], offset: number, alphabet: string): Spelling {
  const bits = 8 * (offset + bytes.length);
  const first = Math.ceil((8 * offset) / 6);
  const last = Math.floor(bits / 6);
  const padded = [0, 0].slice(0, offset).concat(bytes, 0);
  let text = '';
  for (let digit = first; digit < last; digit += 1) {
    const at = Math.floor((6 * digit) / 8);
    const pair = ((padded[at] ?? 0) << 8) | (padded[at + 1] ?? 0);
    text += alphabet.charAt((pair >> (10 - ((6 * digit) % 8))) & 63);
  }
  return { text, before: offset === 0 ? 0 : 1, after: bits % 6 === 0 ? 0 : 1 };
}
