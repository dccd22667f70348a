import { otherRefusal } from './error-patches.ts';
import { bursts, everyLimit, type Fault } from './fault.ts';

/** Faults about what becomes of a request over the limit. */
export const overLimitFaults = [
  {
    name: 'over-limit-503',
    summary:
      'over the limit the answer is a 503 with the documented body, as of a proxy with its default status',
    must: ['error.status'],
    may: [],
    reasons: ['not-429'],
    patch: otherRefusal((error) => ({ ...error, status: 503 })),
  },
  {
    name: 'over-limit-403',
    summary: 'over the limit the answer is a 403 with the documented body',
    must: ['error.status'],
    may: [],
    reasons: ['not-429'],
    patch: otherRefusal((error) => ({ ...error, status: 403 })),
  },
  {
    name: 'over-limit-200',
    summary:
      'over the limit the answer is HTTP 200 with the documented error in its body: to a client it is admitted',
    must: everyLimit,
    may: bursts,
    reasons: ['over-admission'],
    patch: otherRefusal((error) => ({ ...error, status: 200 })),
  },
  {
    name: 'over-limit-delayed',
    summary: 'requests over the limit are not refused but slowed down, each by a thirtieth of a window',
    must: everyLimit,
    may: bursts,
    reasons: ['over-admission'],
    patch: (behaviour) => ({
      ...behaviour,
      overLimit: (counted) => ({ kind: 'delay', counted, delayMs: counted.rate.windowMs / 30 }),
    }),
  },
  {
    name: 'over-limit-dropped',
    summary:
      'requests over the limit are never answered; a network that loses just those looks the same, so no setting ' +
      'proves it: the run is inconclusive, and never held',
    must: [],
    leavesOpen: ['error.status', ...everyLimit, 'window.rolling'],
    may: [],
    reasons: [],
    patch: (behaviour) => ({ ...behaviour, overLimit: (counted) => ({ kind: 'drop', counted }) }),
  },
] as const satisfies readonly Fault[];
