import { expect, test } from 'vitest';
import type { Opening } from '../../checks/opening.ts';
import { deploymentSchema } from '../../contract/deployment.ts';
import { documentedLimits, documentedWindowMs } from '../../contract/scopes.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { openWindow, type RateWindow } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import type { Variant } from '../../service/faults/fault.ts';
import { findFault } from '../../service/faults.ts';
import { offlineService } from '../../service/offline.ts';
import { clausesWith, opening, simulatedTrace } from './simulated-trace.ts';
import { calmWorld } from './world.ts';

const uploads = '/v1/messages/msg_reference';

/** Uploads lie below `/v1/messages` and take a place in both windows. */
const countedInBoth: Variant = {
  name: 'media-counted-in-both',
  summary: 'an upload below /v1/messages is counted as an upload and as a message',
  should: [],
  patch: (behaviour) => {
    const ofMessages = new Map<string, RateWindow>();
    const rate = { limit: documentedLimits.messages, windowMs: documentedWindowMs };
    return {
      ...behaviour,
      scopeOf: (path, method) => (path === uploads ? 'media' : behaviour.scopeOf(path, method)),
      decide: (request, asked) => {
        const decision = behaviour.decide(request, asked);
        if (request.scope === 'standard') return decision;
        const messages = ofMessages.get(request.key) ?? openWindow(slidingLog(rate));
        ofMessages.set(request.key, messages);
        if (!decision.admitted) return decision;
        const asMessage = messages.decide(asked.nowMs);
        return asMessage.admitted && request.scope === 'media' ? decision : asMessage;
      },
    };
  },
};

const { messagesSubpath: _, ...requests } = opening.deployment.requests;

const openingWith = (settings: object): Opening => ({
  ...opening,
  deployment: deploymentSchema.parse({
    ...opening.deployment,
    requests: { ...requests, media: { method: 'POST', path: uploads } },
    ...settings,
  }),
});

const judged = (deviations: readonly Variant[], settings: object) => {
  const rates = { limits: documentedLimits, windowMs: documentedWindowMs };
  const service = offlineService({ ...rates, faults: deviations });
  return judgeTrace(simulatedTrace(service, calmWorld, 1, openingWith(settings)));
};

test('uploads that count as messages too are no violation until a person says that they do not', () => {
  expect(clausesWith(judged([countedInBoth], {}), 'violated')).toEqual([]);
  expect(clausesWith(judged([countedInBoth], {}), 'inconclusive')).toContain('limits.messages');
  expect(clausesWith(judged([countedInBoth], { mediaBelowMessages: 'media' }), 'violated')).not.toEqual([]);
});

test('what both readings forbid is violated all the same', () => {
  const unlimited = findFault('unlimited');
  if (unlimited === undefined) throw new Error('there is no fault "unlimited"');
  const variant: Variant = { ...unlimited, should: [] };
  expect(clausesWith(judged([countedInBoth, variant], {}), 'violated')).toEqual(
    expect.arrayContaining(['limits.messages', 'limits.media']),
  );
});
