import type { DriveAction, DriveCase } from '../case.ts';
import { delivery } from '../delivery.ts';
import { inSixOrders, labelOf, sixOrders, twice } from './repeated.ts';

const shared = { group: 'Effects', level: 'must', needs: 'effects' } as const;

const atOnce = ['a', 'b', 'c', 'd', 'e'] as const;

/** What the deliveries did, told by the receiver's own effects URL; without one these are not assessed. */
export const effectCases: readonly DriveCase[] = [
  {
    ...shared,
    id: 'effect.once-in-turn',
    title: 'a repetition has no second effect',
    sends: 'The same message.received twice, one after the other.',
    expects: 'handled is 1',
    why: 'A second effect is a second ticket, a second answer to the customer.',
    failure: 'the id of the message is not remembered',
    dependsOn: ['repeated.in-turn'],
    actions: [
      { kind: 'in-turn', deliveries: twice('repeated') },
      { kind: 'effects', messages: ['repeated'], awaited: 'handled' },
    ],
  },
  {
    ...shared,
    id: 'effect.once-at-once',
    title: 'nor has one at the same time',
    sends: 'The same message.received twice at the same time, five times over.',
    expects: 'handled is 1, for each',
    why: 'Looking first and storing later lets both through.',
    failure: 'whether the id is known is asked and stored in two steps: let the store decide in one',
    dependsOn: ['repeated.at-once', 'effect.once-in-turn'],
    actions: [
      ...atOnce.map((message): DriveAction => ({ kind: 'at-once', deliveries: twice(message) })),
      { kind: 'effects', messages: atOnce, awaited: 'handled' },
    ],
  },
  {
    ...shared,
    id: 'effect.any-order',
    title: 'the state never goes back',
    sends: 'Sent, delivered and read of a message in all six orders, a message for each.',
    expects: 'the state is read at the end, for each',
    why: 'The document promises no order: a late "delivered" must not undo a "read".',
    failure: 'the state of the last event to arrive is stored, whatever was known before',
    dependsOn: ['repeated.any-order'],
    actions: [
      { kind: 'in-turn', deliveries: inSixOrders },
      { kind: 'effects', messages: sixOrders.map(labelOf), awaited: 'read' },
    ],
  },
  {
    ...shared,
    id: 'effect.forged',
    title: 'a forgery has no effect',
    sends: 'A message.received without a signature, and one that was signed with another secret.',
    expects: 'the message is not known',
    why: 'A refusal is worth nothing if the work was done before it.',
    failure: 'the event is handled before, or although, its signature is wrong',
    dependsOn: ['forged.no-signature', 'forged.wrong-secret', 'effect.once-in-turn'],
    actions: [
      {
        kind: 'in-turn',
        deliveries: [
          delivery('unsigned', { signature: 'absent', expects: 'anything' }),
          delivery('forged', { signature: 'by-wrong-secret', expects: 'anything' }),
        ],
      },
      { kind: 'effects', messages: ['unsigned', 'forged'], awaited: 'nothing' },
    ],
  },
];
