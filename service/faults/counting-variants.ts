import type { Decision } from '../../limiters/limiter.ts';
import { slidingLogCountingRejections } from '../../limiters/sliding-log-counting-rejections.ts';
import { subWindowLog, wholeSecondsLog } from '../../limiters/sub-window-log.ts';
import type { Behaviour } from '../behaviour.ts';
import type { Variant } from './fault.ts';
import { cappedBy, otherLimiter, otherRate, perSecondCaps } from './other-window.ts';
import { otherHeader } from './rate-headers.ts';

/** Ways to count that the document leaves open. */
export const countingVariants: readonly Variant[] = [
  {
    name: 'rejections-counted',
    summary: 'a rejected request takes a place too',
    should: [],
    patch: otherLimiter((rate) => slidingLogCountingRejections(rate)),
  },
  {
    name: 'whole-seconds',
    summary: 'moments are counted in whole seconds: a place is held up to a second longer',
    should: ['window.granularity'],
    reasons: ['whole-seconds'],
    patch: otherLimiter((rate) => wholeSecondsLog(rate)),
  },
  {
    name: 'sub-windows-of-a-second',
    summary: 'requests are counted per second; these seconds do not begin with those of the clock',
    should: ['window.granularity'],
    reasons: ['whole-seconds'],
    patch: otherLimiter((rate) => subWindowLog(rate, { subWindowMs: 1_000, phaseMs: 370 })),
  },
  {
    name: 'window-closed-at-both-ends',
    summary: 'a request leaves a millisecond after its minute, not exactly at its end',
    seldom: 'no request need come in that millisecond',
    should: [],
    patch: otherRate((rate) => ({ ...rate, windowMs: rate.windowMs + 1 })),
  },
  {
    name: 'not-found-uncounted',
    summary: 'a request for a path that does not exist takes no place',
    should: [],
    patch: notFoundUncounted,
  },
  {
    name: 'per-second-cap-meant',
    summary: 'the figures per second are caps, and the settings say so (perSecond: cap)',
    setting: { perSecond: 'cap' },
    should: [],
    patch: perSecondCaps,
  },
  {
    name: 'per-second-cap-unsaid',
    summary: 'the figures per second are caps, and the settings do not say so (perSecond is not set)',
    leavesOpen: ['limits.standard', 'limits.messages'],
    should: [],
    patch: perSecondCaps,
  },
  {
    name: 'per-second-cap-minute-shown',
    summary:
      'the caps of per-second-cap-unsaid, and Remaining counts the minute alone, also on a 429 of the cap',
    leavesOpen: ['limits.standard', 'limits.messages'],
    should: [],
    patch: capShowingMinute,
  },
  {
    name: 'per-second-cap-calendar',
    summary: 'the figures per second cap each second of the clock, and the settings say so (perSecond: cap)',
    setting: { perSecond: 'cap' },
    should: [],
    patch: cappedBy('calendar-second'),
  },
  {
    name: 'per-second-cap-token-bucket',
    summary: 'the figures per second are those of a token bucket, and the settings say so (perSecond: cap)',
    setting: { perSecond: 'cap' },
    should: [],
    patch: cappedBy('token-bucket'),
  },
  {
    name: 'per-second-cap-gap',
    summary:
      'requests must be half a second apart, or a fifth at messages, and the settings do not say so ' +
      '(perSecond is not set)',
    leavesOpen: ['limits.standard', 'limits.messages'],
    should: [],
    patch: cappedBy('minimum-gap'),
  },
  {
    name: 'slow-answers',
    summary: 'a request is counted when it arrives, and answered 400 ms later',
    should: [],
    patch: (behaviour) => ({
      ...behaviour,
      withinLimit: (counted) => ({ kind: 'delay', counted, delayMs: 400 }),
    }),
  },
  {
    name: 'clock-ahead',
    summary: 'the service’s clock is 3 s ahead, and so are Reset and Date',
    should: [],
    patch: (behaviour) => ({
      ...behaviour,
      decide: (request, asked) => behaviour.decide(request, { ...asked, nowMs: asked.nowMs + 3_000 }),
      date: (nowMs) => behaviour.date(nowMs + 3_000),
    }),
  },
];

function notFoundUncounted(behaviour: Behaviour): Behaviour {
  const last = new Map<string, Decision>();
  return {
    ...behaviour,
    decide: (request, asked) => {
      const windowKey = behaviour.windowKey(request);
      const before = last.get(windowKey);
      if (before !== undefined && request.path === '/v1/no-such-resource')
        return { ...before, admitted: true };
      const decision = behaviour.decide(request, asked);
      last.set(windowKey, decision);
      return decision;
    },
  };
}

function capShowingMinute(behaviour: Behaviour): Behaviour {
  const admittedMs = new Map<string, number[]>();
  return otherHeader('remaining', (counted) => {
    const { scope, key, rate, nowMs, decision } = counted;
    const log = (admittedMs.get(`${scope} ${key}`) ?? []).filter((atMs) => atMs > nowMs - rate.windowMs);
    if (decision.admitted) log.push(nowMs);
    admittedMs.set(`${scope} ${key}`, log);
    return String(rate.limit - log.length);
  })(perSecondCaps(behaviour));
}
