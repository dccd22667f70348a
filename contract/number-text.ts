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
export function numberText({ body }: Exchange, name: string): string | null {
  if (body === null) return null;
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
