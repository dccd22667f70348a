import type { Decision } from '../../limiters/limiter.ts';
import type { Behaviour, DecidedRequest } from '../behaviour.ts';
import type { Fault } from './fault.ts';
import { isRefused, otherHeader, remainingText } from './rate-headers.ts';

/** Faults about the value of X-RateLimit-Remaining. */
export const remainingFaults = [
  {
    name: 'remaining-before-request',
    summary: 'Remaining does not count the request itself: it is one too high',
    must: ['headers.remaining'],
    may: [],
    reasons: ['too-high'],
    patch: otherHeader('remaining', (counted) =>
      isRefused(counted) ? remainingText(counted) : String(counted.decision.remaining + 1),
    ),
  },
  {
    name: 'remaining-low-by-one',
    summary:
      'Remaining is one too low. One request of another user looks the same, so the fault is detected ' +
      'where nobody else uses the key (exclusiveKeys), and only after one window',
    must: ['headers.remaining'],
    may: [],
    reasons: ['too-low'],
    patch: otherHeader('remaining', ({ decision }) => String(Math.max(0, decision.remaining - 1))),
  },
  {
    name: 'remaining-zero',
    summary: 'Remaining is always 0',
    must: ['headers.remaining'],
    may: [],
    reasons: ['too-low'],
    patch: otherHeader('remaining', () => '0'),
  },
  {
    name: 'remaining-stale',
    summary: 'Remaining is read from a cache that is refreshed every twelfth of a window',
    must: ['headers.remaining'],
    may: [],
    reasons: ['too-high', 'too-low'],
    patch: remainingStale,
  },
  {
    name: 'remaining-of-messages',
    summary: 'Remaining is that of the messages window on every answer, as soon as the key has used it',
    must: ['headers.remaining'],
    may: [],
    reasons: ['too-high', 'too-low'],
    patch: remainingOfMessages,
  },
  {
    name: 'remaining-negative',
    summary: 'each rejected request lowers Remaining further below 0',
    must: ['headers.remaining'],
    may: [],
    reasons: ['not-an-integer'],
    patch: remainingNegative,
  },
  {
    name: 'remaining-above-limit',
    summary: 'Remaining counts down from twice the limit',
    must: ['headers.remaining', 'headers.remaining-on-429'],
    may: [],
    reasons: ['too-high', 'not-zero'],
    patch: otherHeader('remaining', ({ rate, decision }) => String(rate.limit + decision.remaining)),
  },
  {
    name: 'remaining-constant',
    summary: 'Remaining is always the limit, because nothing updates it',
    must: ['headers.remaining', 'headers.remaining-on-429'],
    may: [],
    reasons: ['too-high', 'not-zero'],
    patch: otherHeader('remaining', ({ rate }) => String(rate.limit)),
  },
  {
    name: 'remaining-is-used',
    summary: 'Remaining is the number of requests that were used, so it counts up',
    must: ['headers.remaining', 'headers.remaining-on-429'],
    may: [],
    reasons: ['too-high', 'too-low', 'not-zero'],
    patch: otherHeader('remaining', ({ rate, decision }) => String(rate.limit - decision.remaining)),
  },
  {
    name: 'remaining-one-on-429',
    summary: 'a 429 says that one request remains',
    must: ['headers.remaining-on-429'],
    may: [],
    reasons: ['not-zero'],
    patch: otherHeader('remaining', (counted) => (isRefused(counted) ? '1' : remainingText(counted))),
  },
  {
    name: 'remaining-float',
    summary: 'Remaining has a fraction, as a weighted count has: "118.40"',
    must: ['headers.remaining'],
    may: [],
    reasons: ['not-an-integer'],
    patch: otherHeader('remaining', ({ decision }) => decision.remaining.toFixed(2)),
  },
  {
    name: 'remaining-doubled',
    summary: 'Remaining is set by a gateway and again by the service: "118, 57"',
    must: ['headers.remaining'],
    may: [],
    reasons: ['not-an-integer'],
    patch: otherHeader('remaining', (counted) => `${remainingText(counted)}, 57`),
  },
] as const satisfies readonly Fault[];

function windowOf({ scope, key }: DecidedRequest): string {
  return `${scope} ${key}`;
}

function remainingStale(behaviour: Behaviour): Behaviour {
  const cached = new Map<string, { readonly text: string; readonly untilMs: number }>();
  return otherHeader('remaining', (counted) => {
    if (isRefused(counted)) return remainingText(counted);
    const known = cached.get(windowOf(counted));
    if (known !== undefined && counted.nowMs < known.untilMs) return known.text;
    const untilMs = counted.nowMs + counted.rate.windowMs / 12;
    cached.set(windowOf(counted), { text: remainingText(counted), untilMs });
    return remainingText(counted);
  })(behaviour);
}

function remainingOfMessages(behaviour: Behaviour): Behaviour {
  const ofMessages = new Map<string, Decision>();
  return otherHeader('remaining', (counted) => {
    if (counted.scope === 'messages') ofMessages.set(counted.key, counted.decision);
    if (isRefused(counted)) return remainingText(counted);
    return String((ofMessages.get(counted.key) ?? counted.decision).remaining);
  })(behaviour);
}

function remainingNegative(behaviour: Behaviour): Behaviour {
  const rejectedInARow = new Map<string, number>();
  return otherHeader('remaining', (counted) => {
    const rejected = isRefused(counted) ? (rejectedInARow.get(windowOf(counted)) ?? 0) + 1 : 0;
    rejectedInARow.set(windowOf(counted), rejected);
    return String(counted.decision.remaining - rejected);
  })(behaviour);
}
