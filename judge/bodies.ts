import { fieldOf, type ParsedBody, parseBody } from '../contract/error-body.ts';
import type { Exchange } from '../contract/exchange.ts';

/** Several judges look at each body; an exchange never changes, so it is parsed once. */
const parsed = new WeakMap<Exchange, ParsedBody>();

/** The body of an exchange, parsed. */
export function bodyOf(exchange: Exchange): ParsedBody {
  const known = parsed.get(exchange);
  if (known !== undefined) return known;
  const body = parseBody(exchange.body);
  parsed.set(exchange, body);
  return body;
}

/** A field inside the `error` object of an exchange's body; `undefined` where there is none. */
export function errorField(exchange: Exchange, name: string): unknown {
  return fieldOf(bodyOf(exchange), 'error', name);
}
