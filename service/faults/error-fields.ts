import { otherJson } from './error-patches.ts';
import type { Fault } from './fault.ts';

/** Faults about code and message of a 429. */
export const errorFieldFaults = [
  {
    name: 'code-of-another-name',
    summary: 'the code of a 429 is "too_many_requests"',
    must: ['error.code'],
    may: [],
    reasons: ['wrong-code'],
    patch: otherJson('over-limit', ({ success, error }) => ({
      success,
      error: { ...error, code: 'too_many_requests' },
    })),
  },
  {
    name: 'code-is-status',
    summary: 'the code of a 429 is the number 429',
    must: ['error.code'],
    may: [],
    reasons: ['wrong-code'],
    patch: otherJson('over-limit', ({ success, error }) => ({ success, error: { ...error, code: 429 } })),
  },
  {
    name: 'code-missing',
    summary: 'a 429 has no code',
    must: ['error.code'],
    may: [],
    reasons: ['absent'],
    patch: otherJson('over-limit', ({ success, error }) => ({
      success,
      error: { ...error, code: undefined },
    })),
  },
  {
    name: 'message-missing',
    summary: 'a 429 has no message',
    must: ['error.message'],
    may: [],
    reasons: ['absent'],
    patch: otherJson('over-limit', ({ success, error }) => ({
      success,
      error: { ...error, message: undefined },
    })),
  },
  {
    name: 'message-by-language',
    summary: 'the message of a 429 is an object with a text for each language',
    must: ['error.message'],
    may: [],
    reasons: ['not-a-string'],
    patch: otherJson('over-limit', ({ success, error }) => ({
      success,
      error: { ...error, message: { en: error.message } },
    })),
  },
  {
    name: 'message-empty',
    summary: 'the message of a 429 is empty',
    must: ['error.message-text'],
    may: [],
    reasons: ['empty'],
    patch: otherJson('over-limit', ({ success, error }) => ({ success, error: { ...error, message: '' } })),
  },
] as const satisfies readonly Fault[];
