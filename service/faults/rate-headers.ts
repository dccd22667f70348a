import { type RateLimitHeader, rateLimitHeaderNames } from '../../contract/rate-limit-headers.ts';
import type { DecidedRequest, HeaderField } from '../behaviour.ts';
import type { Patch } from './fault.ts';

/** Another value of one rate-limit header; `null` leaves the header out. */
export type TextOf = (counted: DecidedRequest, status: number) => string | null;

/** Changes one of the three headers and leaves the others as they are. */
export function otherHeader(header: RateLimitHeader, textOf: TextOf): Patch {
  const name = rateLimitHeaderNames[header];
  return otherFields((fields, counted, status) => {
    const value = textOf(counted, status);
    const others: HeaderField[] = [];
    for (const field of fields) {
      if (field[0] !== name) others.push(field);
      else if (value !== null) others.push([name, value]);
    }
    return others;
  });
}

type FieldsOf = (
  fields: readonly HeaderField[],
  counted: DecidedRequest,
  status: number,
) => readonly HeaderField[];

/** Changes the three headers as a whole. */
export function otherFields(fieldsOf: FieldsOf): Patch {
  return (behaviour) => ({
    ...behaviour,
    rateLimitHeaders: (counted, status) =>
      fieldsOf(behaviour.rateLimitHeaders(counted, status), counted, status),
  });
}

/** Whether a request was refused over the limit, whatever status the document gives that. */
export function isRefused({ decision }: DecidedRequest): boolean {
  return !decision.admitted;
}

export function remainingText({ decision }: DecidedRequest): string {
  return String(decision.remaining);
}
