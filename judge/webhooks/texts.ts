import { inconclusive, observed } from '../../contract/verdict.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import type { WebhookJudge } from './case.ts';
import { isSimulated, simulatedText } from './simulated.ts';

/** Fields and kinds that one observation lists, at most. */
const listedMax = 12;

/** `webhook.encodings` */
export const judgeEncodings: WebhookJudge = ({ book }) => {
  const seen = seenForms();
  const names = new Set<string>();
  const encoded = new Set<string>();
  let fraction: string | null = null;
  return {
    add({ arrival }) {
      if (arrival === null) return;
      const { text, delivery } = arrival;
      const outside = outsideStrings(text);
      for (const form of forms) if (!seen[form]) seen[form] = isOf[form]({ text, outside, delivery });
      const name = nameTwice(text);
      if (name !== null) addListed(names, name.slice(0, 42));
      fraction ??= writtenAsFraction(outside);
      if (arrival.encoded !== null)
        addListed(encoded, `encoded (Content-Encoding: ${arrival.encoded.slice(0, 40)})`);
    },
    verdict() {
      if (book.size() === 0) return inconclusive('no delivery arrived with its whole body');
      const found = [
        either('non-ASCII', { raw: seen.rawNonAscii, escaped: seen.escapedNonAscii }),
        either('"/"', { raw: seen.rawSlash, escaped: seen.escapedSlash }),
        either('"<"', { raw: seen.rawLess, escaped: seen.escapedLess }),
        spacing(seen),
        ...(seen.byteOrderMark ? ['begins with a byte order mark'] : []),
        ...(seen.lineBreakAtEnd ? ['ends with a line break'] : []),
        ...(names.size === 0 ? [] : [`${[...names].join(', ')} twice in one object`]),
        ...(fraction === null ? [] : [`integers written with a fraction or an exponent (${fraction})`]),
        ...encoded,
        ...(seen.bigInteger ? ['integers above 2⁵³, which a double cannot hold'] : []),
        ...(seen.notUtf8 ? ['bytes that are not UTF-8'] : []),
      ];
      return observed(found.filter((text) => text !== '').join(', '));
    },
  };
};

/** A body, and its text with all strings emptied. */
type Written = { readonly text: string; readonly outside: string; readonly delivery: Delivery };

/** Each is looked for until it was seen once. */
const isOf = {
  rawNonAscii: ({ text }) => /[\u0080-\uffff]/.test(text),
  escapedNonAscii: ({ text }) => /\\u(00[89a-f]|0[1-9a-f]|[1-9a-f])/i.test(text),
  rawSlash: ({ text }) => /(?<!\\)\//.test(text),
  escapedSlash: ({ text }) => /\\\//.test(text),
  rawLess: ({ text }) => /</.test(text),
  escapedLess: ({ text }) => /\\u003c/i.test(text),
  indented: ({ outside }) => /\n\s/.test(outside),
  spaced: ({ outside }) => /[:,] /.test(outside),
  byteOrderMark: ({ text }) => text.startsWith('\ufeff'),
  lineBreakAtEnd: ({ text }) => text.endsWith('\n'),
  bigInteger: ({ outside }) => hasBigInteger(outside),
  notUtf8: ({ delivery }) => 'base64' in delivery.body,
} as const satisfies Readonly<Record<string, (written: Written) => boolean>>;

type Form = keyof typeof isOf;

const forms = Object.keys(isOf) as readonly Form[];

function seenForms(): Record<Form, boolean> {
  return Object.fromEntries(forms.map((form) => [form, false])) as Record<Form, boolean>;
}

function spacing({ indented, spaced }: Readonly<Record<Form, boolean>>): string {
  if (indented) return 'indented';
  return spaced ? 'spaces between parts' : 'compact';
}

/** A JSON text with its strings emptied. */
function outsideStrings(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
}

function either(
  what: string,
  { raw, escaped }: { readonly raw: boolean; readonly escaped: boolean },
): string {
  if (raw && escaped) return `${what} both raw and escaped`;
  if (raw) return `${what} raw`;
  return escaped ? `${what} escaped` : '';
}

/** An integer outside of strings that JSON.parse would round. */
function hasBigInteger(outside: string): boolean {
  return (outside.match(/-?\d{16,}/g) ?? []).some(
    (digits) => BigInt(digits).toString() !== String(Number(digits)),
  );
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/**
 * The first name, in its quotes, that one object has twice: of two values, parsers take the first, the last, or refuse
 * both (RFC 8259 §4).
 */
function nameTwice(text: string): string | null {
  const open: (Set<string> | null)[] = [];
  let isName = false;
  for (const [token] of text.matchAll(tokens)) {
    const names = open.at(-1) ?? null;
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : null);
    else if (token === '}' || token === ']') open.pop();
    else if (token !== ',' && isName && names !== null) {
      if (names.has(token)) return token;
      names.add(token);
    }
    isName = token === '{' || (token === ',' && names !== null);
  }
  return null;
}

/** The first whole number that some parsers do not take for an integer. */
function writtenAsFraction(outside: string): string | null {
  const numbers = outside.match(/-?\d[\d.eE+-]*/g) ?? [];
  const found = numbers.find((one) => /[.e]/i.test(one) && Number.isInteger(Number(one)));
  return found?.slice(0, 40) ?? null;
}

const otherKinds = ['message.sent', 'message.delivered', 'message.failed'];

/** `webhook.other-data` */
export const judgeOtherData: WebhookJudge = () => {
  const fields = otherKinds.map((kind) => ({ kind, texts: new Set<string>() }));
  const types = new Set<string>();
  let simulated = 0;
  return {
    add({ event }) {
      if (event === null) return;
      const { event: name, data } = event.envelope;
      const known = fields.find(({ kind }) => kind === name)?.texts;
      if (known !== undefined)
        for (const [field, value] of Object.entries(data)) addListed(known, fieldText(field, value));
      const type = data['type'];
      if (name === 'message.received' && typeof type === 'string' && type !== 'text')
        addListed(types, type.slice(0, 40));
      if (isSimulated(event)) simulated += 1;
    },
    verdict() {
      const listed = fields.filter(({ texts }) => texts.size > 0);
      const all = [
        ...listed.map(({ kind, texts }) => `${kind.slice('message.'.length)}: ${[...texts].join(', ')}`),
        ...(simulated === 0 ? [] : [simulatedText(simulated)]),
        ...(types.size === 0 ? [] : [`types ${[...types].join(', ')}`]),
      ];
      return all.length === 0
        ? inconclusive('no message.sent, .delivered or .failed arrived')
        : observed(all.join('; '));
    },
  };
};

/** Only what will be listed is kept. */
function addListed(texts: Set<string>, text: string): void {
  if (texts.size < listedMax) texts.add(text);
}

function fieldText(name: string, value: unknown): string {
  const shownName = name.slice(0, 40);
  if (typeof value === 'string') return name === 'status' ? `status "${value.slice(0, 40)}"` : shownName;
  if (value === null) return `${shownName} (null)`;
  return `${shownName} (${Array.isArray(value) ? 'list' : typeof value})`;
}
