/** A text as it reads once some of its escapes are resolved, kind after kind. */
export type Reading = {
  readonly text: string;
  /** As it stands, and where it begins in the text that it is a part of. */
  readonly whole: string;
  readonly from: number;
  readonly resolved: readonly Coat[];
};

/** One way to escape characters. `sign` stands in each escape; `plainOf` gives what one stands for that was found. */
type Coat = {
  readonly sign: string;
  readonly form: RegExp;
  readonly plainOf: (found: readonly (string | undefined)[]) => string;
};

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * Names of HTML for what a secret may hold, each before its character: printable ASCII that is no letter and no digit.
 */
const namedCharacters =
  ' excl ! quot " num # dollar $ percnt % amp & apos \' lpar ( rpar ) ast * plus + comma , period . sol / colon : ' +
  'semi ; lt < equals = gt > quest ? commat @ lsqb [ lbrack [ bsol \\ rsqb ] rbrack ] hat ^ lowbar _ underbar _ ' +
  'grave ` lcub { lbrace { verbar | vert | rcub } rbrace }';

function characterNamed(name: string): string | undefined {
  const before = ` ${name.toLowerCase()} `;
  const at = namedCharacters.indexOf(before);
  return at === -1 ? undefined : namedCharacters.charAt(at + before.length);
}

function characterOf(digits: string, radix: number): string {
  const code = Number.parseInt(digits, radix);
  return code > 0x10_ff_ff ? '' : String.fromCodePoint(code);
}

/** Made for each text that needs them: hundreds of clients of k6 would each hold the expressions, and most never use them. */
export const coatsOf = (): readonly Coat[] => [
  {
    // JSON, and the literals of most languages.
    sign: '\\',
    form: /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([0-3][0-7]{2})|([^ux0-7]))/gi,
    plainOf: (found) => {
      const hex = found[1] ?? found[2] ?? found[3];
      if (hex !== undefined) return characterOf(hex, 16);
      const octal = found[4];
      const one = found[5] ?? '';
      return octal === undefined ? (controls[one] ?? one) : characterOf(octal, 8);
    },
  },
  {
    // URLs and forms. Bytes of UTF-8 become a character each: that is one of the spellings that are looked for.
    sign: '%',
    form: /%([0-9a-f]{2})/gi,
    plainOf: (found) => characterOf(found[1] ?? '', 16),
  },
  {
    // A number may lack its semicolon, but where the text ends within it, it may lack digits too.
    sign: '&',
    form: /&(?:#x0*([0-9a-f]{1,6})(?:;|(?=[^0-9a-f]))|#0*([0-9]{1,7})(?:;|(?=[^0-9]))|([a-z]{2,8});)/gi,
    plainOf: (found) => {
      const hex = found[1];
      const decimal = found[2];
      if (hex !== undefined) return characterOf(hex, 16);
      if (decimal !== undefined) return characterOf(decimal, 10);
      return characterNamed(found[3] ?? '') ?? found[0] ?? '';
    },
  },
  {
    // Long base64 is broken into lines, and so are long headers.
    sign: '\n',
    form: /\r?\n[ \t]*/g,
    plainOf: () => '',
  },
];

/**
 * Whether a text may read otherwise than it stands there. A regular expression would cost each client of k6 20 kB, for what
 * comes with the first one.
 */
export function mayBeEscaped(text: string): boolean {
  return text.includes('\\') || text.includes('%') || text.includes('&') || text.includes('\n');
}

/** The readings of one text at most. Escapes of several kinds, or of escapes, multiply them. */
const readingsMax = 32;

/**
 * The text first, then every way to read it with some of its escapes resolved, those of escapes too.
 * @param from where the text begins in the one that it is a part of.
 */
export function readingsOf(whole: string, from = 0, coats = coatsOf()): readonly Reading[] {
  const readings: Reading[] = [{ text: whole, whole, from, resolved: [] }];
  // The list grows meanwhile: escapes may be escaped.
  for (const { text, resolved } of readings) {
    // An iterator takes k6 longer than what it goes through here.
    for (let n = 0; n < coats.length && readings.length < readingsMax; n += 1) {
      const coat = coats[n] as Coat;
      if (!text.includes(coat.sign)) continue;
      const inner = text.replace(coat.form, (...found: string[]) => coat.plainOf(found));
      if (readings.some((known) => known.text === inner)) continue;
      readings.push({ text: inner, whole, from, resolved: [...resolved, coat] });
    }
  }
  return readings;
}

/** Says where a character of a reading stood in the text that it is a part of, and of its end, where that ends. */
export function placesIn({ whole, from, resolved }: Reading): (at: number) => number {
  let text = whole;
  const layers = resolved.map((coat) => {
    const { plain, runs } = withoutCoat(text, coat);
    text = plain;
    return runs;
  });
  return (at) => from + layers.reduceRight((place, runs) => placeIn(runs, place), at);
}

/** Characters that stand together in both texts, or all of which (`step` 0) stood in one escape: the first one in each text. */
type Run = { readonly from: number; readonly to: number; readonly step: 0 | 1 };

function placeIn(runs: readonly Run[], at: number): number {
  let [low, high] = [0, runs.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((runs[middle] as Run).from <= at) low = middle;
    else high = middle;
  }
  const { from, to, step } = runs[low] as Run;
  return to + step * (at - from);
}

/** A text without some escapes, and where its runs stood: as many as there were escapes, which are few beside its characters. */
function withoutCoat(text: string, { form, plainOf }: Coat): { plain: string; runs: readonly Run[] } {
  const runs: Run[] = [];
  let plain = '';
  let done = 0;
  const keepUntil = (end: number): void => {
    runs.push({ from: plain.length, to: done, step: 1 });
    plain += text.slice(done, end);
  };
  form.lastIndex = 0;
  for (let found = form.exec(text); found !== null; found = form.exec(text)) {
    keepUntil(found.index);
    runs.push({ from: plain.length, to: found.index, step: 0 });
    plain += plainOf(found);
    done = form.lastIndex;
  }
  keepUntil(text.length);
  runs.push({ from: plain.length, to: text.length, step: 1 });
  return { plain, runs };
}

/** Where an escape begins that the end of the text cuts off; the length of the text where none does. */
export function brokenEscapeAt(text: string): number {
  const at = text.search(/(?:\\(?:u\{?[0-9a-f]{0,6}|x[0-9a-f]?|[0-3][0-7]?)?|%[0-9a-f]?|&#?[0-9a-z]{0,9})$/i);
  return at === -1 ? text.length : at;
}

/** Where a line ends that may go on in the next one. */
export function brokenLineAt(text: string): number {
  return text.trimEnd().length;
}
