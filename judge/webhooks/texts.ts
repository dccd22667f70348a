import { inconclusive, observed } from '../../contract/verdict.ts';
import type { WebhookJudge } from './case.ts';
import { isSimulated, simulatedText } from './simulated.ts';

/** Fields and kinds that one observation lists, at most. */
const listedMax = 12;

/** `webhook.encodings` */
export const judgeEncodings: WebhookJudge = ({ arrivals }) => {
  if (arrivals.length === 0) return inconclusive('no delivery arrived with its whole body');
  const texts = arrivals.map(({ text }) => text);
  const some = (pattern: RegExp): boolean => texts.some((text) => pattern.test(text));
  const found = [
    either('non-ASCII', {
      raw: some(/[\u0080-\uffff]/),
      escaped: some(/\\u(00[89a-f]|0[1-9a-f]|[1-9a-f])/i),
    }),
    either('"/"', { raw: some(/(?<!\\)\//), escaped: some(/\\\//) }),
    either('"<"', { raw: some(/</), escaped: some(/\\u003c/i) }),
    spacing(texts),
    ...(some(/^\ufeff/) ? ['begins with a byte order mark'] : []),
    ...(some(/\n$/) ? ['ends with a line break'] : []),
    ...namesTwice(texts),
    ...writtenAsFractions(texts),
    ...new Set(
      arrivals.flatMap(({ encoded }) =>
        encoded === null ? [] : [`encoded (Content-Encoding: ${encoded.slice(0, 40)})`],
      ),
    ),
    ...(texts.some(hasBigInteger) ? ['integers above 2⁵³, which a double cannot hold'] : []),
    ...(arrivals.some(({ delivery }) => 'base64' in delivery.body) ? ['bytes that are not UTF-8'] : []),
  ];
  return observed(found.filter((text) => text !== '').join(', '));
};

function spacing(texts: readonly string[]): string {
  const outsides = texts.map(outsideStrings);
  if (outsides.some((text) => /\n\s/.test(text))) return 'indented';
  return outsides.some((text) => /[:,] /.test(text)) ? 'spaces between parts' : 'compact';
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
function hasBigInteger(text: string): boolean {
  const outside = outsideStrings(text);
  return (outside.match(/-?\d{16,}/g) ?? []).some(
    (digits) => BigInt(digits).toString() !== String(Number(digits)),
  );
}

/** Names that an object has twice: of two values, parsers take the first, the last, or refuse both (RFC 8259 §4). */
function namesTwice(texts: readonly string[]): readonly string[] {
  const names = new Set<string>();
  for (const text of texts) {
    const name = nameTwice(text);
    if (name !== null) names.add(name.slice(0, 42));
  }
  return names.size === 0 ? [] : [`${[...names].slice(0, listedMax).join(', ')} twice in one object`];
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/** The first name, in its quotes, that one object has twice. */
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

/** Whole numbers that some parsers do not take for integers. */
function writtenAsFractions(texts: readonly string[]): readonly string[] {
  for (const text of texts) {
    const numbers = outsideStrings(text).match(/-?\d[\d.eE+-]*/g) ?? [];
    const found = numbers.find((one) => /[.e]/i.test(one) && Number.isInteger(Number(one)));
    if (found !== undefined)
      return [`integers written with a fraction or an exponent (${found.slice(0, 40)})`];
  }
  return [];
}

/** `webhook.other-data` */
export const judgeOtherData: WebhookJudge = ({ events }) => {
  const kinds = ['message.sent', 'message.delivered', 'message.failed'];
  const listed = kinds.flatMap((kind) => {
    const fields = new Set(
      events
        .filter(({ envelope }) => envelope.event === kind)
        .flatMap(({ envelope: { data } }) =>
          Object.entries(data).map(([name, value]) => fieldText(name, value)),
        ),
    );
    return fields.size === 0
      ? []
      : [`${kind.slice('message.'.length)}: ${[...fields].slice(0, listedMax).join(', ')}`];
  });
  const types = new Set(
    events.flatMap(({ envelope: { event, data } }) =>
      event === 'message.received' && typeof data['type'] === 'string' && data['type'] !== 'text'
        ? [data['type'].slice(0, 40)]
        : [],
    ),
  );
  const simulated = events.filter(isSimulated).length;
  const all = [
    ...listed,
    ...(simulated === 0 ? [] : [simulatedText(simulated)]),
    ...(types.size === 0 ? [] : [`types ${[...types].slice(0, listedMax).join(', ')}`]),
  ];
  return all.length === 0
    ? inconclusive('no message.sent, .delivered or .failed arrived')
    : observed(all.join('; '));
};

function fieldText(name: string, value: unknown): string {
  const shownName = name.slice(0, 40);
  if (typeof value === 'string') return name === 'status' ? `status "${value.slice(0, 40)}"` : shownName;
  if (value === null) return `${shownName} (null)`;
  return `${shownName} (${Array.isArray(value) ? 'list' : typeof value})`;
}
