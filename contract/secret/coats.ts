/** A text as it reads once some of its escapes are resolved, kind after kind. */
export type Reading = { readonly text: string; readonly whole: string; readonly resolved: readonly Coat[] };

/** One way to escape characters. `plainOf` gives what the parts of one escape stand for. */
type Coat = {
  readonly form: RegExp;
  readonly plainOf: (parts: readonly (string | undefined)[]) => string;
};

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Names of HTML for what a secret may hold: printable ASCII that is no letter and no digit, and the blank. */
const namedCharacters =
  'excl ! quot " num # dollar $ percnt % amp & apos \' lpar ( rpar ) ast * plus + comma , period . sol / colon : ' +
  'semi ; lt < equals = gt > quest ? commat @ lsqb [ lbrack [ bsol \\ rsqb ] rbrack ] hat ^ lowbar _ underbar _ ' +
  'grave ` lcub { lbrace { verbar | vert | rcub } rbrace }';

function characterNamed(name: string): string | undefined {
  const words = namedCharacters.split(' ');
  const at = words.indexOf(name.toLowerCase());
  return at === -1 ? undefined : words[at + 1];
}

function characterOf(digits: string, radix: number): string {
  const code = Number.parseInt(digits, radix);
  return code > 0x10_ff_ff ? '' : String.fromCodePoint(code);
}

/** A function, since hundreds of clients of k6 would each hold the expressions, and most never need them. */
const coatsOf = (): readonly Coat[] => [
  {
    // JSON, and the literals of most languages.
    form: /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([0-3][0-7]{2})|([^ux0-7]))/gi,
    plainOf: ([, braced, four, two, octal, one = '']) => {
      const hex = braced ?? four ?? two;
      if (hex !== undefined) return characterOf(hex, 16);
      return octal === undefined ? (controls[one] ?? one) : characterOf(octal, 8);
    },
  },
  {
    // URLs and forms. Bytes of UTF-8 become a character each: that is one of the spellings that are looked for.
    form: /%([0-9a-f]{2})/gi,
    plainOf: ([, hex = '']) => characterOf(hex, 16),
  },
  {
    // A number may lack its semicolon, but where the text ends within it, it may lack digits too.
    form: /&(?:#x0*([0-9a-f]{1,6})(?:;|(?=[^0-9a-f]))|#0*([0-9]{1,7})(?:;|(?=[^0-9]))|([a-z]{2,8});)/gi,
    plainOf: ([whole = '', hex, decimal, name = '']) => {
      if (hex !== undefined) return characterOf(hex, 16);
      return decimal === undefined ? (characterNamed(name) ?? whole) : characterOf(decimal, 10);
    },
  },
  {
    // Long base64 is broken into lines, and so are long headers.
    form: /\r?\n[ \t]*/g,
    plainOf: () => '',
  },
];

/**
 * Whether a text may read otherwise than it stands there: one of these stands in each escape. A regular expression would
 * cost each client of k6 20 kB, for what comes with the first one.
 */
export function mayBeEscaped(text: string): boolean {
  return text.includes('\\') || text.includes('%') || text.includes('&') || text.includes('\n');
}

/** The readings of one text at most. Escapes of several kinds, or of escapes, multiply them. */
const readingsMax = 32;

/** The text, and every way to read it with some of its escapes resolved, those of escapes too. */
export function readingsOf(whole: string): readonly Reading[] {
  const readings: Reading[] = [{ text: whole, whole, resolved: [] }];
  if (!mayBeEscaped(whole)) return readings;
  const coats = coatsOf();
  // The list grows meanwhile: escapes may be escaped.
  for (const { text, resolved } of readings) {
    for (const coat of coats) {
      const inner = text.replace(coat.form, (...found: string[]) => coat.plainOf(found));
      if (readings.length === readingsMax || readings.some((known) => known.text === inner)) continue;
      readings.push({ text: inner, whole, resolved: [...resolved, coat] });
    }
  }
  return readings;
}

/** Says where a character of a reading stood in the whole text, and of its end, where that ends. */
export function placesIn({ whole, resolved }: Reading): (at: number) => number {
  let text = whole;
  const layers = resolved.map((coat) => {
    const { plain, runs } = withoutCoat(text, coat);
    text = plain;
    return runs;
  });
  return (at) => layers.reduceRight((place, runs) => placeIn(runs, place), at);
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
