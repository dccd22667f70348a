import type { Exchange } from '../../contract/exchange.ts';
import { isSuccess, outcomeOf } from '../../contract/outcome.ts';

/** The part of an answer that a trace keeps. */
export type KeptAnswer = Pick<Exchange, 'headers' | 'retryAfter' | 'date' | 'contentType' | 'body'> & {
  readonly status: number;
};

/** What an exchange says of its answer; of a 2xx no body. */
export function answered(
  { status, headers, retryAfter, date, contentType, body }: KeptAnswer,
  limited?: readonly number[],
  passed?: readonly number[],
) {
  const outcome = outcomeOf(status, limited, passed);
  const kept = isSuccess(status) ? null : body;
  return { status, headers, retryAfter, date, contentType, body: kept, failure: null, outcome };
}

/** What an exchange says where none came. */
export const unanswered = {
  status: null,
  headers: { limit: null, remaining: null, reset: null },
  retryAfter: null,
  date: null,
  contentType: null,
  body: null,
  failure: 'no answer in time',
  outcome: 'indeterminate',
} as const;
