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
    name: 'window-long-by-50-ms',
    summary:
      'a window of 60.05 s instead of a minute; detected where requests and answers take a millisecond. In a slower ' +
      'network a limiter that counts in parts of a second could look the same: then window.granularity falls short',
    setting: { oneWayMsMax: 1 },
    must: ['window.length'],
    may: [],
    reasons: ['too-long'],
    patch: otherRate((rate) => ({ ...rate, windowMs: rate.windowMs + 50 })),
  },
  {
    name: 'window-long-by-100-ms',
    summary:
      'a window of 60.1 s instead of a minute; detected where requests and answers take 10 ms at most, as ' +
      'window-long-by-50-ms',
    setting: { oneWayMsMax: 10 },
    must: ['window.length'],
    may: [],
    reasons: ['too-long'],
    patch: otherRate((rate) => ({ ...rate, windowMs: rate.windowMs + 100 })),
  },
  {
    name: 'window-long-by-half-a-second',
    summary:
      'a window of 60.5 s instead of a minute: no limiter that counts in whole seconds holds each place so long',
    must: ['window.length'],
    may: [],
    reasons: ['too-long'],
    patch: otherRate((rate) => ({ ...rate, windowMs: rate.windowMs + 500 })),
  },
  {
    name: 'window-long-by-900-ms',
    summary: 'a window of 60.9 s instead of a minute: less than a second too long, but for every place',
    must: ['window.length'],
    may: [],
    reasons: ['too-long'],
    patch: otherRate((rate) => ({ ...rate, windowMs: rate.windowMs + 900 })),
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
