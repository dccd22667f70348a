import type { Refusal } from '../../../contract/document/refusal.ts';

/** What a document says of the bodies of refusals, and how the table calls it. */
export type WrittenBody = { readonly named: string; readonly refusal: Omit<Refusal, 'status'> };

const text = { type: 'string' };

/** The schema of RFC 9457, Appendix A, with what a limit’s problem has to have. */
const problem = {
  title: 'An RFC 9457 problem object',
  type: 'object',
  properties: { type: text, title: text, status: { type: 'integer' }, detail: text, instance: text },
  additionalProperties: true,
  required: ['type', 'title', 'status'],
};

/** A problem of RFC 9457 with the status of the answer. */
export const problemBody: WrittenBody = {
  named: 'a problem of RFC 9457',
  refusal: { bodySchema: { allOf: [problem, { properties: { status: { const: 429 } } }] } },
};

/** A problem that says how long to wait. */
export const problemWithWait: WrittenBody = {
  named: 'a problem with retryAfter',
  refusal: { bodySchema: { ...problem, required: [...problem.required, 'retryAfter'] } },
};

/** A problem that must not say any detail. */
export const problemWithoutDetail: WrittenBody = {
  named: 'a problem without detail',
  refusal: { bodySchema: { ...problem, properties: { ...problem.properties, detail: false } } },
};

/** What Fastify sends of an error by itself, and @fastify/rate-limit of one over the limit. */
export const fastifyBody: WrittenBody = {
  named: 'an error of Fastify, and no more',
  refusal: {
    body: { '/statusCode': 429, '/error': 'Too Many Requests' },
    bodySchema: {
      type: 'object',
      required: ['message'],
      properties: {
        statusCode: { type: 'integer' },
        error: text,
        message: { type: 'string', pattern: '^Rate limit exceeded, retry in ' },
      },
      unevaluatedProperties: false,
    },
  },
};
