import { rateLimitHeaderNames } from '../../contract/rate-limit-headers.ts';
import type { ApiError, Behaviour, DecidedRequest } from '../behaviour.ts';
import { otherRejection } from './error-patches.ts';
import type { Patch, Variant } from './fault.ts';
import { otherHeader } from './rate-headers.ts';

/** What the three headers, and Date beside them, can say while the document is kept. */
export const headerVariants: readonly Variant[] = [
  {
    name: 'reset-floored',
    summary: 'Reset is when the oldest request leaves, rounded down',
    should: [],
    patch: otherReset(({ decision }) => decision.resetMs, Math.floor),
  },
  {
    name: 'reset-rounded',
    summary: 'Reset is when the oldest request leaves, rounded to the nearest second',
    seldom: 'only where the first request is counted in the first half of a second',
    should: [],
    patch: otherReset(({ decision }) => decision.resetMs, Math.round),
  },
  {
    name: 'reset-window-empties',
    summary: 'Reset is when the last request leaves, rounded up',
    should: [],
    patch: resetWhenEmpty,
  },
  {
    name: 'reset-one-window-ahead',
    summary: 'Reset is always one window from now, rounded up',
    should: [],
    patch: otherReset(({ nowMs, rate }) => nowMs + rate.windowMs, Math.ceil),
  },
  {
    name: 'reset-one-window-ahead-floored',
    summary: 'Reset is always one window from now, rounded down',
    should: [],
    patch: otherReset(({ nowMs, rate }) => nowMs + rate.windowMs, Math.floor),
  },
  {
    name: 'reset-one-window-ahead-and-one',
    summary: 'Reset is one window from now, with the time and the window rounded up separately',
    should: [],
    patch: otherReset(({ nowMs, rate }) => nowMs + rate.windowMs + 999, Math.ceil),
  },
  {
    name: 'reset-end-of-minute',
    summary: 'Reset is the end of the wall clock’s minute, though the window rolls',
    should: [],
    patch: otherReset(
      ({ nowMs, rate }) => (Math.floor(nowMs / rate.windowMs) + 1) * rate.windowMs,
      Math.ceil,
    ),
  },
  {
    name: 'reset-now-while-free',
    summary:
      'Reset is the present time while something remains, else the moment at which a place is free; ' +
      'rounded down',
    should: [],
    patch: otherReset(({ decision, nowMs }) => nowMs + decision.retryAfterMs, Math.floor),
  },
  {
    name: 'reset-with-fraction',
    summary: 'Reset has a fraction: the document says seconds, not whole seconds',
    should: [],
    patch: otherHeader('reset', ({ decision }) => (decision.resetMs / 1_000).toFixed(3)),
  },
  {
    name: 'nodes-apart',
    summary: 'two nodes, whose clocks are 9 s apart and each within what the settings allow',
    setting: { nodes: 2 },
    should: [],
    patch: resetByClock(({ node }) => (node % 2 === 0 ? -apartMs : apartMs)),
  },
  {
    name: 'nodes-apart-behind-balancer',
    summary: 'two nodes under one address, whose clocks are 9 s apart',
    should: [],
    patch: resetByClock(({ connection }) => (connection % 2 === 0 ? -apartMs : apartMs)),
  },
  {
    name: 'clock-stepped',
    summary: 'the clock that Reset is read from is stepped by 9 s, half a window after the first request',
    should: [],
    patch: (behaviour) => {
      let firstMs = Number.POSITIVE_INFINITY;
      return resetByClock(({ nowMs, rate }) => {
        firstMs = Math.min(firstMs, nowMs);
        return nowMs < firstMs + rate.windowMs / 2 ? -apartMs : apartMs;
      })(behaviour);
    },
  },
  {
    name: 'headers-without-key',
    summary: 'answers to requests without a valid key carry the three headers too, each with 0',
    should: [],
    patch: otherRejection(withZeroHeaders),
  },
  {
    name: 'date-shifted',
    summary: 'Date is two hours ahead of the clock that the limits use',
    should: [],
    patch: (behaviour) => ({ ...behaviour, date: (nowMs) => behaviour.date(nowMs + 7_200_000) }),
  },
  {
    name: 'date-cached',
    summary: 'Date is renewed every ten seconds only',
    should: [],
    patch: (behaviour) => ({
      ...behaviour,
      date: (nowMs) => behaviour.date(Math.floor(nowMs / 10_000) * 10_000),
    }),
  },
];

type Rounding = (seconds: number) => number;

function otherReset(momentMs: (counted: DecidedRequest) => number, round: Rounding): Patch {
  return otherHeader('reset', (counted) => String(round(momentMs(counted) / 1_000)));
}

/** How far a clock is off at most, so that it stays within the skew that the settings allow by default. */
const apartMs = 4_500;

/** Reset is the present time while something remains, else when a place is free; by a clock that is off. */
function resetByClock(offsetMs: (counted: DecidedRequest) => number): Patch {
  return otherReset(
    (counted) => counted.nowMs + counted.decision.retryAfterMs + offsetMs(counted),
    Math.floor,
  );
}

function resetWhenEmpty(behaviour: Behaviour): Behaviour {
  const lastMs = new Map<string, number>();
  const momentMs = (counted: DecidedRequest): number => {
    const windowKey = behaviour.windowKey(counted);
    if (counted.decision.admitted) lastMs.set(windowKey, counted.nowMs);
    return (lastMs.get(windowKey) ?? counted.nowMs) + counted.rate.windowMs;
  };
  return otherReset(momentMs, Math.ceil)(behaviour);
}

function withZeroHeaders(error: ApiError): ApiError {
  const zero = Object.values(rateLimitHeaderNames).map((name) => [name, '0'] as const);
  return { ...error, headers: [...(error.headers ?? []), ...zero] };
}
