import type { Rate } from '../limiters/limiter.ts';
import { createAnswers } from './answers.ts';
import type { ApiError, Behaviour } from './behaviour.ts';
import { errorCodes } from './choices.ts';
import { documentedBehaviour } from './documented-behaviour.ts';
import { type GateSettings, ratesOf, receive, rulingOn, type WaitingGate } from './gate.ts';
import type { RateStore } from './store/redis-store.ts';

/**
 * A gate whose windows are in a store that several nodes share. While the store fails, no request is served uncounted.
 */
export function createSharedGate(settings: GateSettings, store: RateStore): WaitingGate {
  const { behaviour } = settings;
  const rates = ratesOf(settings);
  return {
    async rule(request) {
      const received = receive(settings, request);
      if (received.kind === 'refuse') return received;
      const { scope, cost } = received.request;
      const rate = rates[scope] as Rate;
      const answer = await store.decide(behaviour.windowKey(received.request), rate, cost);
      if (answer.kind === 'unavailable') return { kind: 'refuse', counted: null, error: storeUnavailable };
      const { decision, nowMs } = answer;
      return rulingOn(behaviour, { ...received.request, rate, decision, nowMs });
    },
    ...createAnswers(behaviour),
  };
}

/** Whether a behaviour counts as documented, so that a store can count in its place. */
export function leavesCountingAlone({ openWindow, decide }: Behaviour): boolean {
  return openWindow === documentedBehaviour.openWindow && decide === documentedBehaviour.decide;
}

/** Long enough for a connection to be opened again; RFC 9110 §10.2.3 puts Retry-After on a 503 too. */
const retryAfterSeconds = 1;

const storeUnavailable: ApiError = {
  status: 503,
  code: errorCodes.unavailable,
  message: 'Requests cannot be counted at the moment, and none is served uncounted. Try again.',
  retryAfterSeconds,
  headers: [['Retry-After', String(retryAfterSeconds)]],
};
