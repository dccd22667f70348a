import { openForgetful } from '../../limiters/forgetful.ts';
import type { Decision, RateWindow } from '../../limiters/limiter.ts';
import type { Behaviour, CountedRequest, DecisionContext } from '../behaviour.ts';
import { bursts, everyLimit, type Fault, type Patch } from './fault.ts';

/** Faults that ask the right limiter in the wrong way. */
export const countingFaults = [
  {
    name: 'unlimited',
    summary: 'nothing is ever refused: the limiter only reports',
    must: everyLimit,
    may: bursts,
    reasons: ['over-admission'],
    patch: otherDecision((_request, { window, nowMs }) => ({ ...window.decide(nowMs), admitted: true })),
  },
  {
    name: 'counted-twice',
    summary: 'each request takes two places, for example because the limiter is mounted twice',
    must: everyLimit,
    may: [],
    reasons: ['wrongful-429'],
    patch: otherDecision((_request, { window, nowMs }) => {
      const first = window.decide(nowMs);
      return first.admitted ? { ...window.decide(nowMs), admitted: true } : first;
    }),
  },
  {
    name: 'posts-uncounted',
    summary: 'only GETs are counted and limited',
    must: ['limits.messages', 'limits.media'],
    may: bursts,
    reasons: ['over-admission'],
    patch: otherDecision(({ method }, { rate, window, nowMs }) => {
      if (method !== 'POST') return window.decide(nowMs);
      return { admitted: true, remaining: rate.limit, resetMs: nowMs + rate.windowMs, retryAfterMs: 0 };
    }),
  },
  {
    name: 'every-tenth-uncounted',
    summary:
      'one request in ten is admitted without being counted, for example after a time-out of the store',
    must: everyLimit,
    may: bursts,
    reasons: ['over-admission'],
    patch: everyTenthUncounted,
  },
  {
    name: 'check-then-add',
    summary:
      'a request is counted 20 ms after the count was read, before it is answered: concurrent requests do not see each other',
    must: ['limits.standard', 'limits.messages'],
    may: ['limits.media', 'headers.remaining', ...bursts],
    reasons: ['over-admission', 'too-high'],
    patch: checkThenAdd(20),
  },
  {
    name: 'fails-open',
    summary:
      'everything is admitted for a third of a window, for example while the store of the counts is down',
    must: ['window.rolling'],
    may: bursts,
    reasons: ['early-return'],
    patch: failsOpen,
  },
  {
    name: 'forgets-on-restart',
    summary: 'the service restarts within the window and loses all counts, which were kept in memory',
    must: ['window.rolling'],
    may: bursts,
    reasons: ['early-return'],
    patch: restartAt(0.4),
  },
  {
    name: 'forgets-idle-keys',
    summary:
      'counts are lost once nothing was asked for a third of a window, for example because they are kept for less than that',
    must: ['window.rolling'],
    may: ['headers.remaining', ...bursts],
    reasons: ['early-return', 'too-high'],
    patch: forgetsAfter(1 / 3),
  },
] as const satisfies readonly Fault[];

type Decide = (request: CountedRequest, asked: DecisionContext) => Decision;

function otherDecision(decide: Decide): Patch {
  return (behaviour) => ({ ...behaviour, decide });
}

function everyTenthUncounted(behaviour: Behaviour): Behaviour {
  const counts = new Map<string, { requests: number; last: Decision }>();
  return {
    ...behaviour,
    decide: (request, asked) => {
      const windowKey = behaviour.windowKey(request);
      const count = counts.get(windowKey);
      if (count === undefined || count.requests % 10 !== 9) {
        const last = behaviour.decide(request, asked);
        counts.set(windowKey, { requests: (count?.requests ?? 0) + 1, last });
        return last;
      }
      count.requests += 1;
      return { ...count.last, admitted: true, resetMs: Math.max(count.last.resetMs, asked.nowMs) };
    },
  };
}

/**
 * A request is seen in the count only so long after it read the count itself; then it is answered.
 * @param addedMs that time, ms.
 */
export function checkThenAdd(addedMs: number): Patch {
  return (behaviour) => ({
    ...behaviour,
    openWindow: (scope, rate) => racingWindow(behaviour.openWindow(scope, rate), addedMs),
    withinLimit: (counted) => {
      const ruling = behaviour.withinLimit(counted);
      return ruling.kind === 'admit' ? { kind: 'delay', counted, delayMs: addedMs + 5 } : ruling;
    },
  });
}

/** A window in which each request takes the places that it sees free: those too that others took right before it. */
function racingWindow(window: RateWindow, addedMs: number): RateWindow {
  let unseen: readonly { readonly atMs: number; readonly cost: number }[] = [];
  return {
    decide(nowMs, cost = 1) {
      unseen = unseen.filter(({ atMs }) => atMs > nowMs - addedMs);
      const decision = window.decide(nowMs, cost);
      const remaining = decision.remaining + unseen.reduce((sum, one) => sum + one.cost, 0);
      if (decision.admitted) unseen = [...unseen, { atMs: nowMs, cost }];
      else if (remaining < cost) return decision;
      return { ...decision, admitted: true, remaining, retryAfterMs: 0 };
    },
    idleFromMs: () => window.idleFromMs(),
  };
}

function failsOpen(behaviour: Behaviour): Behaviour {
  const windowsSince = windowsSinceFirst();
  return {
    ...behaviour,
    decide: (request, asked) => {
      const windows = windowsSince(asked);
      const decision = behaviour.decide(request, asked);
      return windows > 0.25 && windows < 0.58 ? { ...decision, admitted: true } : decision;
    },
  };
}

/** @param share when it restarts, as a share of the window since it was first asked. */
export function restartAt(share: number): Patch {
  return (behaviour) => restarted(behaviour, share);
}

function restarted(behaviour: Behaviour, share: number): Behaviour {
  const windowsSince = windowsSinceFirst();
  const afterwards = new Map<string, RateWindow>();
  return {
    ...behaviour,
    decide: (request, asked) => {
      if (windowsSince(asked) < share) return behaviour.decide(request, asked);
      const { rate, nowMs } = asked;
      const windowKey = behaviour.windowKey(request);
      const window = afterwards.get(windowKey) ?? behaviour.openWindow(request.scope, rate);
      afterwards.set(windowKey, window);
      return behaviour.decide(request, { rate, nowMs, window });
    },
  };
}

/** @param share for how long nothing is asked before a count is lost, as a share of the window. */
export function forgetsAfter(share: number): Patch {
  return (behaviour) => ({
    ...behaviour,
    openWindow: (scope, rate) =>
      openForgetful(
        () => behaviour.openWindow(scope, rate),
        (nowMs, previousMs) => nowMs - previousMs >= share * rate.windowMs,
      ),
  });
}

/** How long a service has been in use, in windows since the first decision that it was asked for. */
function windowsSinceFirst(): (asked: DecisionContext) => number {
  let firstMs = Number.POSITIVE_INFINITY;
  return ({ nowMs, rate }) => {
    firstMs = Math.min(firstMs, nowMs);
    return (nowMs - firstMs) / rate.windowMs;
  };
}
