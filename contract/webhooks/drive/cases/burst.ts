import { burstCase } from '../burst-messages.ts';
import type { DriveCase } from '../case.ts';
import { later } from '../delivery.ts';

/** The events of a subscriber who sends as fast as the limit allows, and what they do. */
export const burstCases: readonly DriveCase[] = [
  {
    id: burstCase,
    group: 'Burst',
    level: 'must',
    title: 'three times the send rate',
    sends: 'Sent, delivered and read for one message after the other, at three times the send rate.',
    expects: '2xx within the budget, for each',
    why: 'Every message that is sent causes up to three events, even when the receiver is busy.',
    failure:
      'the work is done before the answer, or requests are handled one after the other: answer first, work later',
    needs: 'nothing',
    dependsOn: ['valid.sent', 'valid.delivered', 'valid.read'],
    actions: [{ kind: 'burst' }],
  },
  {
    id: 'effect.under-load',
    group: 'Burst',
    level: 'must',
    title: 'no event of the burst is lost',
    sends:
      'A message.received after the burst; of at most 100 messages of the burst the effects are looked at.',
    expects: 'the state is read at the end, for each',
    why: 'A 2xx says that an event was taken, so that nobody sends it again: what is lost then is lost for good.',
    failure:
      'events are acknowledged and then lost when many come: put each where it lasts before the answer, and answer 503 ' +
      'where there is no room',
    needs: 'effects',
    // Who loses or confuses the events of single messages does so in a burst too.
    dependsOn: [burstCase, 'effect.any-order'],
    actions: [
      // A queue that is full drops this event too, and then its effect shows nothing.
      { kind: 'rest' },
      { kind: 'in-turn', deliveries: [later] },
      { kind: 'effects', messages: 'of-burst', awaited: 'read' },
    ],
  },
];
