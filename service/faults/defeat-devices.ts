import type { Decision } from '../../limiters/limiter.ts';
import type { Behaviour, CountedRequest } from '../behaviour.ts';
import { everyLimit, type Fault } from './fault.ts';

/**
 * Services that keep the document only while they are probed, or at first. A run that announces itself finds nothing; one
 * that does not (`--unannounced`) must violate these clauses.
 */
export const defeatDevices: readonly Fault[] = [
  {
    name: 'knows-the-agent',
    summary: 'limits are kept only for requests whose User-Agent names this tool; everybody else has none',
    must: everyLimit,
    may: [],
    reasons: ['over-admission'],
    patch: (behaviour) => ({
      ...behaviour,
      decide: (request, asked) => {
        const decision = behaviour.decide(request, asked);
        return /conformance/i.test(request.userAgent ?? '') ? decision : unlimited(decision);
      },
    }),
  },
  {
    name: 'knows-the-schedule',
    summary:
      'limits are kept only for a key that begins as this tool does: a sixth of the limit first, single requests ' +
      'after that, and most of the rest two or three seconds after the first request',
    must: everyLimit,
    may: [],
    reasons: ['over-admission'],
    patch: keptForSchedule,
  },
  {
    name: 'unlimited-after-two-windows',
    summary:
      'nothing is refused any more from two windows after the first request of a key on: a usual run is over by then, ' +
      'and says for how long it watched; load over-pressure --windows 3 finds it too',
    must: ['window.rolling'],
    may: everyLimit,
    reasons: ['early-return', 'over-admission'],
    patch: keptForTwoWindows,
  },
];

/** The same decision of a service that refuses nothing. */
function unlimited(decision: Decision): Decision {
  return { ...decision, admitted: true, retryAfterMs: 0 };
}

function keptForTwoWindows(behaviour: Behaviour): Behaviour {
  const firstMs = new Map<string, number>();
  return {
    ...behaviour,
    decide: (request, asked) => {
      const { nowMs, rate } = asked;
      const windowKey = behaviour.windowKey(request);
      const sinceMs = firstMs.get(windowKey) ?? nowMs;
      firstMs.set(windowKey, sinceMs);
      const decision = behaviour.decide(request, asked);
      return nowMs < sinceMs + 2 * rate.windowMs ? decision : unlimited(decision);
    },
  };
}

type Begun = { readonly firstMs: number; readonly early: [number, number]; laterMs: number | null };

/** Until when the first part of the limit has come, ms after the first request: where answers are quick, and elsewhere. */
const earlyMs = [640, 1_000] as const;

function keptForSchedule(behaviour: Behaviour): Behaviour {
  const begun = new Map<string, Begun>();
  const isProbed = ({ firstMs, early, laterMs }: Begun, limit: number): boolean =>
    early.includes(Math.round(limit / 6)) && laterMs !== null && laterMs < firstMs + 3_500;
  const seen = ({ scope, key }: CountedRequest, nowMs: number): Begun => {
    const id = `${scope} ${key}`;
    const known = begun.get(id) ?? { firstMs: nowMs, early: [0, 0], laterMs: null };
    begun.set(id, known);
    earlyMs.forEach((ms, at) => {
      if (nowMs < known.firstMs + ms) known.early[at] = (known.early[at] ?? 0) + 1;
    });
    if (nowMs >= known.firstMs + 1_990) known.laterMs ??= nowMs;
    return known;
  };
  return {
    ...behaviour,
    decide: (request, asked) => {
      const known = seen(request, asked.nowMs);
      const decision = behaviour.decide(request, asked);
      return isProbed(known, asked.rate.limit) ? decision : unlimited(decision);
    },
  };
}
