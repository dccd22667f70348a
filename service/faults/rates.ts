import { documentedLimits } from '../../contract/scopes.ts';
import { bursts, everyLimit, type Fault } from './fault.ts';
import { otherRate } from './other-window.ts';

/** Faults that keep a rolling window, with another limit or another length. */
export const rateFaults = [
  {
    name: 'limit-minus-one',
    summary:
      'every scope admits one request fewer than the documented limit, which the headers still announce; ' +
      'detected where nobody else uses the key (exclusiveKeys)',
    must: everyLimit,
    may: [],
    reasons: ['wrongful-429'],
    patch: otherRate((rate) => ({ ...rate, limit: rate.limit - 1 })),
  },
  {
    name: 'limit-plus-one',
    summary:
      'every scope admits one request more than the documented limit, for example because of > instead of ≥',
    must: everyLimit,
    may: bursts,
    reasons: ['over-admission'],
    patch: otherRate((rate) => ({ ...rate, limit: rate.limit + 1 })),
  },
  {
    name: 'limit-of-standard',
    summary: 'every scope has the limit of standard routes',
    must: ['limits.messages', 'limits.media'],
    may: bursts,
    reasons: ['over-admission', 'wrongful-429'],
    patch: otherRate((rate) => ({ ...rate, limit: documentedLimits.standard })),
  },
  {
    name: 'window-short',
    summary: 'a window of 59 s instead of a minute',
    must: ['window.length'],
    may: [],
    reasons: ['too-short'],
    patch: otherRate((rate) => ({ ...rate, windowMs: (rate.windowMs * 59) / 60 })),
  },
  {
    name: 'window-half',
    summary: 'a window of half a minute',
    must: ['window.length'],
    may: [],
    reasons: ['too-short'],
    patch: otherRate((rate) => ({ ...rate, windowMs: rate.windowMs / 2 })),
  },
  {
    name: 'window-long',
    summary:
      'a window of 61.5 s instead of a minute: half a second more than counting in whole seconds explains',
    must: ['window.length'],
    may: [],
    reasons: ['too-long'],
    patch: otherRate((rate) => ({ ...rate, windowMs: rate.windowMs + 1_500 })),
  },
  {
    name: 'window-much-too-long',
    summary: 'a window of 70 s instead of a minute, and Reset and retry_after_seconds say so too',
    must: ['window.length'],
    may: [],
    reasons: ['too-long'],
    patch: otherRate((rate) => ({ ...rate, windowMs: (rate.windowMs * 7) / 6 })),
  },
  {
    name: 'window-of-an-hour',
    summary: 'the limit of a minute holds for an hour',
    must: ['window.rolling', 'headers.reset', 'error.retry-after'],
    may: [],
    reasons: ['late-return', 'too-long', 'beyond-window'],
    patch: otherRate((rate) => ({ ...rate, windowMs: rate.windowMs * 60 })),
  },
] as const satisfies readonly Fault[];
