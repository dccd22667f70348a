import { otherBody, otherJson, otherRejection } from './error-patches.ts';
import type { Fault } from './fault.ts';

/** A 429 as a proxy answers it. */
const htmlPage = {
  contentType: 'text/html',
  text: '<html>\r\n<head><title>429 Too Many Requests</title></head>\r\n<body></body>\r\n</html>',
};

/** Faults about the body of a 429 as a whole. */
export const errorBodyFaults = [
  {
    name: 'success-true-on-429',
    summary: 'the body of a 429 says success true',
    must: ['error.shape'],
    may: [],
    reasons: ['success-not-false'],
    patch: otherJson('over-limit', (body) => ({ ...body, success: true })),
  },
  {
    name: 'success-as-text',
    summary: 'success is the string "false" on every error',
    must: ['error.shape', 'error.other-shape'],
    may: [],
    reasons: ['success-not-false'],
    patch: otherJson('every-error', (body) => ({ ...body, success: 'false' })),
  },
  {
    name: 'success-missing',
    summary: 'errors have no field success',
    must: ['error.shape', 'error.other-shape'],
    may: [],
    reasons: ['no-success'],
    patch: otherJson('every-error', ({ error }) => ({ error })),
  },
  {
    name: 'body-flat',
    summary: 'code, message and retry_after_seconds are beside success, not inside error',
    must: ['error.shape', 'error.other-shape'],
    may: [],
    reasons: ['no-error-object'],
    patch: otherJson('every-error', ({ success, error }) => ({ success, ...error })),
  },
  {
    name: 'error-as-text',
    summary: 'error is the message itself, not an object',
    must: ['error.shape', 'error.other-shape'],
    may: [],
    reasons: ['no-error-object'],
    patch: otherJson('every-error', ({ success, error }) => ({ success, error: error.message })),
  },
  {
    name: 'error-as-list',
    summary: 'a 429 has a list "errors" instead of the object "error"',
    must: ['error.shape'],
    may: [],
    reasons: ['no-error-object'],
    patch: otherJson('over-limit', ({ success, error }) => ({ success, errors: [error] })),
  },
  {
    name: 'html-on-429',
    summary: 'a 429 is the HTML page of a proxy in front of the service',
    must: ['error.shape', 'error.content-type'],
    may: [],
    reasons: ['not-json'],
    patch: otherBody('over-limit', () => htmlPage),
  },
  {
    name: 'long-html-on-429',
    summary: 'a 429 is an HTML page of 80,000 characters, longer than a trace keeps',
    must: ['error.shape', 'error.content-type'],
    may: [],
    reasons: ['not-json'],
    patch: otherBody('over-limit', () => ({
      contentType: 'text/html',
      text: `<!doctype html>\n<title>429 Too Many Requests</title>\n${'<p>Slow down.</p>\n'.repeat(4_445)}`,
    })),
  },
  {
    name: 'text-on-429',
    summary: 'a 429 is a plain sentence, the default answer of a limiter library',
    must: ['error.shape', 'error.content-type'],
    may: [],
    reasons: ['not-json'],
    patch: otherBody('over-limit', () => ({
      contentType: 'text/html; charset=utf-8',
      text: 'Too many requests, please try again later.',
    })),
  },
  {
    name: 'empty-429',
    summary: 'a 429 has no body',
    must: ['error.shape'],
    may: [],
    reasons: ['not-json'],
    patch: otherBody('over-limit', ({ contentType }) => ({ contentType, text: '' })),
  },
  {
    name: 'json-labelled-text',
    summary: 'the JSON of a 429 is labelled text/plain',
    must: ['error.content-type'],
    may: [],
    reasons: ['not-json'],
    patch: otherBody('over-limit', ({ text }) => ({ contentType: 'text/plain; charset=utf-8', text })),
  },
  {
    name: 'other-errors-html',
    summary: 'errors other than a 429 are the HTML pages of a framework',
    must: ['error.other-shape'],
    may: [],
    reasons: ['not-json'],
    patch: otherBody('others', (_body, { status }) => ({
      contentType: 'text/html; charset=utf-8',
      text: `<!DOCTYPE html><html><head><title>Error</title></head><body><pre>${status}</pre></body></html>`,
    })),
  },
  {
    name: 'keyless-429-html',
    summary: 'requests without a valid key get a 429 that is an HTML page',
    must: ['error.other-shape'],
    may: [],
    reasons: ['not-json'],
    patch: (behaviour) =>
      otherRejection((error) => ({ ...error, status: 429 }))(
        otherBody('others', (body, { status }) => (status === 429 ? htmlPage : body))(behaviour),
      ),
  },
  {
    name: 'other-errors-flat',
    summary: 'errors other than a 429 have the shape of a framework: { "detail": … }',
    must: ['error.other-shape'],
    may: [],
    reasons: ['no-success'],
    patch: otherJson('others', ({ error }) => ({ detail: error.message })),
  },
  {
    name: 'other-errors-without-message',
    summary: 'errors other than a 429 have a code and no message',
    must: ['error.other-shape'],
    may: [],
    reasons: ['no-message'],
    patch: otherJson('others', ({ success, error }) => ({ success, error: { code: error.code } })),
  },
] as const satisfies readonly Fault[];
