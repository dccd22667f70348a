import type { Document } from '../contract/document/document.ts';
import type { PromisedBody } from '../contract/document/refusal.ts';
import { bodyOf, type ExchangeBody, errorField, rateLimitCode } from '../contract/error-body.ts';
import type { Exchange } from '../contract/exchange.ts';
import { valueAt } from '../contract/json-pointer.ts';
import { shown } from '../contract/shown-json.ts';
import type { Flaw } from './evidence.ts';

/** Whether an answer, whatever its status, has the body that stands in refusals alone; the messaging document's where nothing else is promised. */
export function saysLimit(exchange: Exchange, { refusal }: Pick<Document, 'refusal'>): boolean {
  const promised = refusal?.body;
  if (promised === undefined) return errorField(exchange, 'code') === rateLimitCode;
  // A body that says no more than that it is an error may be that of any error.
  const isTelling = Object.values(promised).some((value) => typeof value === 'string');
  return isTelling && bodyFlaw(bodyOf(exchange), promised) === null;
}

/** What keeps a body from being the promised one; `null` where nothing does. */
export function bodyFlaw(body: ExchangeBody, promised: PromisedBody): Flaw | null {
  if (body.kind !== 'json') return { reason: 'not-json', seen: body.why };
  for (const [pointer, expected] of Object.entries(promised)) {
    const value = valueAt(pointer, body.value);
    if (value === expected) continue;
    return { reason: value === undefined ? 'absent' : 'wrong-value', seen: `${pointer} ${shown(value)}` };
  }
  return null;
}
