import { isSameHeader } from '../../contract/header-name.ts';
import { milliseconds } from '../../contract/quantities.ts';
import { bytesOf, eventIn } from '../../contract/webhooks/body.ts';
import { isSigned, signatureHeader } from '../../contract/webhooks/signature.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import { plainText } from '../plain-text.ts';

/** What is shown of a delivery below its line. */
export const printable = ['headers', 'body'] as const;

export type ArrivalOptions = {
  readonly secrets: readonly string[];
  readonly print: readonly (typeof printable)[number][];
};

/** Characters of a body that are shown; the trace has the rest. */
const bodyCharactersMax = 20_000;

/** One delivery as it arrived: time (UTC), event, message, signature and answer in a line; what is wished for below it. */
export function arrivalLines(delivery: Delivery, { secrets, print }: ArrivalOptions): readonly string[] {
  const { arrivedMs, method, path, headers } = delivery;
  const text = textOf(delivery);
  const found = text === null ? null : eventIn(text);
  const what =
    found === null
      ? plainText(`${method} ${path}`, 60).padEnd(40)
      : `${plainText(found.event, 40).padEnd(17)}  ${plainText(found.messageId ?? '–', 40).padEnd(21)}`;
  const time = new Date(arrivedMs).toISOString().slice(11, 23);
  const shown = {
    headers: () => headers.map(([name, value]) => plainText(`${name}: ${value}`, 500)),
    body: () => bodyLines(text),
  };
  return [
    `${time}  ${what}  signature ${signatureWord(delivery, secrets)}  ${answerText(delivery)}`,
    ...print.flatMap((part) => shown[part]()).map((line) => `    ${line}`),
  ];
}

/** `null` where the body is not whole, or no text. */
function textOf({ body, completeMs, bodyBytes }: Delivery): string | null {
  if (completeMs === null || !('text' in body)) return null;
  return Buffer.byteLength(body.text) === bodyBytes ? body.text : null;
}

/** `?` is a signature that the convention does not give: the report says which computation does. */
function signatureWord(delivery: Delivery, secrets: readonly string[]): 'ok' | '–' | '?' {
  const [value, ...others] = delivery.headers
    .filter(([name]) => isSameHeader(name, signatureHeader))
    .map(([, text]) => text);
  if (value === undefined || secrets.length === 0) return '–';
  return others.length === 0 && isSigned({ value, body: bytesOf(delivery.body), secrets }) ? 'ok' : '?';
}

function answerText({ forwarded, status, completeMs, arrivedMs, answeredMs }: Delivery): string {
  if (forwarded !== undefined) {
    const { sentMs, receivedMs, failure } = forwarded;
    if (forwarded.status === null || receivedMs === null)
      return `-> ${plainText(failure ?? 'no answer', 200)}; answered 502`;
    return `-> ${forwarded.status}  ${milliseconds(receivedMs - sentMs)}`;
  }
  if (completeMs === null) return 'broke off';
  if (status === null || answeredMs === null) return 'not answered';
  return `answered ${status}  ${milliseconds(answeredMs - arrivedMs)}`;
}

/** Indented where it is JSON that can be written again, else as it is: a line of it each. */
function bodyLines(text: string | null): readonly string[] {
  if (text === null) return ['(a body that is no text, or not whole: the trace has it)'];
  const cut = text.length > bodyCharactersMax ? [`… (${text.length} characters)`] : [];
  const lines = pretty(text).slice(0, bodyCharactersMax).split('\n');
  return [...lines.map((line) => plainText(line, bodyCharactersMax)), ...cut];
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
