import { bodyOf, type ExchangeBody, errorField, rateLimitCode } from '../error-body.ts';
import type { Exchange } from '../exchange.ts';
import { valueAt } from '../json-pointer.ts';
import { shown } from '../shown-json.ts';
import type { Document } from './document.ts';
import type { PromisedBody } from './refusal.ts';

/** Whether an answer, whatever its status, has the body that stands in refusals alone; the messaging document's where nothing else is promised. */
export function saysLimit(exchange: Exchange, { refusal }: Pick<Document, 'refusal'>): boolean {
  const promised = refusal?.body;
  if (promised === undefined) return errorField(exchange, 'code') === rateLimitCode;
  // A body that says no more than that it is an error may be that of any error.
  const isTelling = Object.values(promised).some((value) => typeof value === 'string');
  return isTelling && bodyFlaw(bodyOf(exchange), promised) === null;
}

/** What keeps a body from being the promised one, and how it is seen; `null` where nothing does. */
export function bodyFlaw(
  body: ExchangeBody,
  promised: PromisedBody,
): { readonly reason: string; readonly seen: string } | null {
  if (body.kind !== 'json') return { reason: 'not-json', seen: body.why };
  for (const [pointer, expected] of Object.entries(promised)) {
    const value = valueAt(pointer, body.value);
    if (value === expected) continue;
    return { reason: value === undefined ? 'absent' : 'wrong-value', seen: `${pointer} ${shown(value)}` };
  }
  return null;
}
