import { otherRefusal } from './error-patches.ts';
import { bursts, everyLimit, type Fault } from './fault.ts';

/** Faults about the answer to a request over the limit. */
export const overLimitFaults = [
  {
    name: 'over-limit-503',
    summary:
      'over the limit the answer is a 503 with the documented body; 503 is the default status of some ' +
      'proxies',
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
      'over the limit the answer is HTTP 200 with the documented error in its body: a client takes it for ' +
      'admitted',
    must: everyLimit,
    may: bursts,
    reasons: ['over-admission'],
    patch: otherRefusal((error) => ({ ...error, status: 200 })),
  },
  {
    name: 'over-limit-delayed',
    summary: 'requests over the limit are not refused but delayed, each by a thirtieth of a window',
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
      'requests over the limit are never answered. A network that loses exactly these requests looks the ' +
      'same, so no setting proves the fault: the run is inconclusive, and never held',
    must: [],
    leavesOpen: ['error.status', ...everyLimit, 'window.rolling'],
    may: [],
    reasons: [],
    patch: (behaviour) => ({ ...behaviour, overLimit: (counted) => ({ kind: 'drop', counted }) }),
  },
] as const satisfies readonly Fault[];
