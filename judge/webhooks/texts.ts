import { inconclusive, observed } from '../../contract/verdict.ts';
import type { WebhookJudge } from './case.ts';

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
  const all = [
    ...listed,
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
