import type { DriveCase } from '../case.ts';
import type { Content } from '../delivery.ts';

/** What one message brings, in the order in which the service sends it. */
export const burstContents = ['sent', 'delivered', 'read'] as const satisfies readonly Content[];

/** Everything that a subscriber gets who sends as fast as the limit allows. */
export const burstCases: readonly DriveCase[] = [
  {
    id: 'burst.answers',
    group: 'Burst',
    level: 'must',
    title: 'three times the send rate',
    sends: 'Sent, delivered and read of message after message, at three times the rate of sending.',
    expects: '2xx within the budget, each',
    why: 'Every message that is sent comes back as up to three events, whatever the receiver is doing.',
    failure: 'the work is done before the answer, or one request after the other: answer first, work later',
    needs: 'nothing',
    dependsOn: ['valid.sent', 'valid.delivered', 'valid.read'],
    actions: [{ kind: 'burst' }],
  },
];
