import { otherBody, otherJson, otherSeconds } from './error-patches.ts';
import type { Fault } from './fault.ts';

/** Faults about retry_after_seconds. */
export const retryAfterFaults = [
  {
    name: 'retry-after-absent',
    summary: 'a 429 has no retry_after_seconds',
    must: ['error.retry-after'],
    may: [],
    reasons: ['absent'],
    patch: otherJson('over-limit', ({ success, error }) => ({
      success,
      error: { ...error, retry_after_seconds: undefined },
    })),
  },
  {
    name: 'retry-after-as-text',
    summary: 'retry_after_seconds is a string',
    must: ['error.retry-after'],
    may: [],
    reasons: ['not-an-integer'],
    patch: otherJson('over-limit', ({ success, error }) => ({
      success,
      error: { ...error, retry_after_seconds: String(error.retry_after_seconds) },
    })),
  },
  {
    name: 'retry-after-float',
    summary: 'retry_after_seconds has a fraction',
    must: ['error.retry-after'],
    may: [],
    reasons: ['not-an-integer'],
    patch: otherSeconds(({ decision }) => decision.retryAfterMs / 1_000 + 0.000_5),
  },
  {
    name: 'retry-after-point-zero',
    summary:
      'retry_after_seconds is written as a float: 61.0, which clients that expect an integer cannot read',
    must: ['error.retry-after'],
    may: [],
    reasons: ['not-an-integer'],
    patch: otherBody('over-limit', ({ contentType, text }) => ({
      contentType,
      text: text.replace(/("retry_after_seconds":\d+)/, '$1.0'),
    })),
  },
  {
    name: 'retry-after-zero',
    summary: 'retry_after_seconds is always 0',
    must: ['error.retry-after'],
    may: [],
    reasons: ['zero'],
    patch: otherSeconds(() => 0),
  },
  {
    name: 'retry-after-floored',
    summary:
      'retry_after_seconds is rounded down, to at least 1: a client that waits exactly that long comes ' +
      'too early',
    must: ['error.retry-after-suffices'],
    may: [],
    reasons: ['second-429'],
    patch: otherSeconds(({ decision }) => Math.max(1, Math.floor(decision.retryAfterMs / 1_000))),
  },
  {
    name: 'retry-after-one-second',
    summary: 'retry_after_seconds is always 1, however full the window',
    must: ['error.retry-after-suffices'],
    may: [],
    reasons: ['second-429'],
    patch: otherSeconds(() => 1),
  },
  {
    name: 'retry-after-too-long',
    summary: 'retry_after_seconds is always an hour',
    must: ['error.retry-after'],
    may: [],
    reasons: ['too-long'],
    patch: otherSeconds(() => 3_600),
  },
  {
    name: 'retry-after-in-milliseconds',
    summary: 'retry_after_seconds is in milliseconds',
    must: ['error.retry-after'],
    may: [],
    reasons: ['too-long'],
    patch: otherSeconds(({ decision }) => Math.ceil(decision.retryAfterMs)),
  },
  {
    name: 'retry-after-as-moment',
    summary: 'retry_after_seconds is the Unix time at which a place is free, not the wait until then',
    must: ['error.retry-after'],
    may: [],
    reasons: ['too-long'],
    patch: otherSeconds(({ decision, nowMs }) => Math.ceil((nowMs + decision.retryAfterMs) / 1_000)),
  },
] as const satisfies readonly Fault[];
