import { errorField } from './error-body.ts';
import type { Exchange } from './exchange.ts';

/** A reviver with the source text of a primitive value (ECMAScript, JSON.parse source text access). */
type Reviver = (
  this: unknown,
  name: string,
  value: unknown,
  context: { readonly source?: string },
) => unknown;

/**
 * A number of the `error` object of an exchange's body as it is written there, e.g. "61.0" or "6e1", which a parser
 * makes the same number as "61"; `null` where the field is no number or the body is not JSON.
 */
export function numberText(exchange: Exchange, name: string): string | null {
  const { body } = exchange;
  if (body === null) return null;
  const known = found.get(name) ?? new Map<string, string | null>();
  const before = known.get(body);
  if (before !== undefined) return before;
  const text = onlyNumberText(exchange, name) ?? parsedNumberText(body, name);
  if (body.length <= knownCharactersMax) {
    if (known.size === knownMax) known.clear();
    found.set(name, known.set(body, text));
  }
  return text;
}

/** Of many answers with the same short body the number is looked for once. */
const [knownMax, knownCharactersMax] = [4_096, 1_024];
const found = new Map<string, Map<string, string | null>>();

/**
 * The same where the name stands in the body once, and before a number: a parser that notes its sources takes thirty
 * times as long. `null` where it has to be asked.
 */
function onlyNumberText(exchange: Exchange, name: string): string | null {
  const body = exchange.body ?? '';
  // A name may be spelt in another way.
  if (body.includes('\\') || typeof errorField(exchange, name) !== 'number') return null;
  const quoted = `"${name}"`;
  const at = body.indexOf(quoted);
  if (at === -1 || body.includes(quoted, at + 1)) return null;
  numberAfter.lastIndex = at + quoted.length;
  return numberAfter.exec(body)?.[1] ?? null;
}

const numberAfter = /\s*:\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;

function parsedNumberText(body: string, name: string): string | null {
  const texts = new Map<unknown, string>();
  const note: Reviver = function (field, value, { source }) {
    if (field === name && typeof value === 'number' && source !== undefined) texts.set(this, source);
    return value;
  };
  try {
    const parsed: unknown = JSON.parse(body, note as Parameters<typeof JSON.parse>[1]);
    const isObject = typeof parsed === 'object' && parsed !== null;
    return isObject && 'error' in parsed ? (texts.get(parsed.error) ?? null) : null;
  } catch {
    return null;
  }
}
