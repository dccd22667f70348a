import type { DriveAction, DriveCase } from '../case.ts';
import { delivery } from '../delivery.ts';
import { inSixOrders, labelOf, sixOrders, twice } from './repeated.ts';

const shared = { group: 'Effects', level: 'must', needs: 'effects' } as const;

const atOnce = ['a', 'b', 'c', 'd', 'e'] as const;

/**
 * The effects of deliveries, as the receiver's own effects URL reports them. Without that URL these are not assessed.
 */
export const effectCases: readonly DriveCase[] = [
  {
    ...shared,
    id: 'effect.once-in-turn',
    title: 'a repetition has no second effect',
    sends: 'The same message.received twice, one after the other.',
    expects: 'handled is 1',
    why: 'A second effect is, for example, a second ticket or a second answer to the customer.',
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
    title: 'nor has a concurrent repetition',
    sends: 'The same message.received twice at the same time, for five messages.',
    expects: 'handled is 1, for each',
    why: 'A receiver that first looks up the id and later stores it lets both pass.',
    failure: 'the id is looked up and stored in two steps: let the store do both in one',
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
    why: 'The document promises no order: a late "delivered" must not replace a "read".',
    failure: 'the state of the last event to arrive is stored, without a look at the state before',
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
    sends: 'A message.received without a signature, and one with a signature by another secret.',
    expects: 'the message is not known',
    why: 'A refusal is useless if the work was done before it.',
    failure: 'the event is handled before its signature is verified, or although it is wrong',
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
