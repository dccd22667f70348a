import type { ApiError, Behaviour, DecidedRequest, HeaderField } from './behaviour.ts';
import { jsonType } from './choices.ts';

/** A whole answer. Two fields of one name are two header lines. */
export type Answer = {
  readonly status: number;
  readonly headers: readonly HeaderField[];
  readonly body: string;
};

/** What an answer is about, and when it is given. */
export type AnswerContext = { readonly counted: DecidedRequest | null; readonly nowMs: number };

export type Success = {
  readonly status: number;
  readonly data: unknown;
  /** Left out: it is made of the data. */
  readonly body?: string;
};

/** Gives every answer of the service its form. */
export type Answers = {
  success(success: Success, context: AnswerContext): Answer;
  failure(error: ApiError, context: AnswerContext): Answer;
};

export function successBody(data: unknown): string {
  return JSON.stringify({ success: true, data });
}

/** Most successes have no more to say. */
const nothingToSay = successBody(null);

export function createAnswers(behaviour: Behaviour): Answers {
  const headers = (status: number, contentType: string, { counted, nowMs }: AnswerContext): HeaderField[] => {
    const fields: HeaderField[] = [
      ['Content-Type', contentType],
      ['Date', behaviour.date(nowMs)],
    ];
    if (counted !== null) for (const field of behaviour.rateLimitHeaders(counted, status)) fields.push(field);
    return fields;
  };
  return {
    success({ status, data, body = data === null ? nothingToSay : successBody(data) }, context) {
      return { status, headers: headers(status, jsonType, context), body };
    },
    failure(error, context) {
      const { contentType, text } = behaviour.errorBody(error);
      const fields = headers(error.status, contentType, context);
      if (error.headers !== undefined) for (const field of error.headers) fields.push(field);
      return { status: error.status, headers: fields, body: text };
    },
  };
}
