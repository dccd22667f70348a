import type { DriveCase } from '../case.ts';
import type { Content } from './words.ts';

/** The events of one message, in the order in which the service sends them. */
export const burstContents = ['sent', 'delivered', 'read'] as const satisfies readonly Content[];

/** The events of a subscriber who sends as fast as the limit allows. */
export const burstCases: readonly DriveCase[] = [
  {
    id: 'burst.answers',
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
];
