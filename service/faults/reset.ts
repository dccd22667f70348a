import type { Fault } from './fault.ts';
import { otherHeader } from './rate-headers.ts';

/** Further in the past, and further ahead, than any offset of clocks that the settings can allow. */
const farSeconds = { past: 400, ahead: 3_600 } as const;

/** Faults about the value of X-RateLimit-Reset. */
export const resetFaults = [
  {
    name: 'reset-in-milliseconds',
    summary: 'X-RateLimit-Reset is Unix time in milliseconds',
    must: ['headers.reset'],
    may: [],
    reasons: ['milliseconds'],
    patch: otherHeader('reset', ({ decision }) => String(Math.ceil(decision.resetMs))),
  },
  {
    name: 'reset-as-delta',
    summary: 'X-RateLimit-Reset is a number of seconds from now, as in the IETF draft',
    must: ['headers.reset'],
    may: [],
    reasons: ['delta'],
    patch: otherHeader('reset', ({ decision, nowMs }) =>
      String(Math.ceil((decision.resetMs - nowMs) / 1_000)),
    ),
  },
  {
    name: 'reset-half-a-minute-past',
    summary:
      'X-RateLimit-Reset is half a minute or more in the past; detected where the clocks may differ by ' +
      'less than that (clockSkewSecondsMax)',
    must: ['headers.reset'],
    may: [],
    reasons: ['past'],
    patch: otherHeader('reset', ({ decision, rate }) =>
      String(Math.ceil((decision.resetMs - rate.windowMs) / 1_000) - 30),
    ),
  },
  {
    name: 'reset-long-past',
    summary: 'X-RateLimit-Reset is minutes in the past, because nothing renews it',
    must: ['headers.reset'],
    may: [],
    reasons: ['past'],
    patch: otherHeader('reset', ({ decision }) => String(secondsOf(decision.resetMs) - farSeconds.past)),
  },
  {
    name: 'reset-beyond-window',
    summary: 'X-RateLimit-Reset is an hour late, for example because of a wrong time zone',
    must: ['headers.reset'],
    may: [],
    reasons: ['beyond-window'],
    patch: otherHeader('reset', ({ decision }) => String(secondsOf(decision.resetMs) + farSeconds.ahead)),
  },
  {
    name: 'reset-as-date',
    summary: 'X-RateLimit-Reset is a date in ISO 8601',
    must: ['headers.reset'],
    may: [],
    reasons: ['not-an-integer'],
    patch: otherHeader('reset', ({ decision }) => new Date(decision.resetMs).toISOString()),
  },
] as const satisfies readonly Fault[];

function secondsOf(ms: number): number {
  return Math.ceil(ms / 1_000);
}
