import { type DriveAction, type DriveCase, deliveriesOf } from '../case.ts';
import { delivery, later } from '../delivery.ts';
import { forgedCases } from './forged.ts';
import { inSixOrders, labelOf, sixOrders, twice } from './repeated.ts';
import { firstCase } from './valid.ts';

const shared = { group: 'Effects', level: 'must', needs: 'effects' } as const;

/** The messages of all forgeries of other cases. */
const forgedMessages = forgedCases.flatMap((one) =>
  deliveriesOf(one).map(({ message }) => ({ caseId: one.id, message })),
);

const atOnce = ['a', 'b', 'c', 'd', 'e'] as const;

/** The case whose messages should have no effect. */
export const forgedEffects = 'effect.forged';

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
    failure: 'no repetition is recognised: remember the kind and the id of every event that was handled',
    dependsOn: ['repeated.in-turn'],
    actions: [
      { kind: 'in-turn', deliveries: twice('repeated') },
      { kind: 'in-turn', deliveries: [later] },
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
    failure: 'kind and id are looked up and stored in two steps: let the store do both in one',
    dependsOn: ['repeated.at-once', 'effect.once-in-turn'],
    actions: [
      ...atOnce.map((message): DriveAction => ({ kind: 'at-once', deliveries: twice(message) })),
      { kind: 'in-turn', deliveries: [later] },
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
      { kind: 'in-turn', deliveries: [later] },
      { kind: 'effects', messages: sixOrders.map(labelOf), awaited: 'read' },
    ],
  },
  {
    ...shared,
    id: forgedEffects,
    title: 'a forgery has no effect',
    sends:
      'A message.received without a signature, and one with a signature by another secret; the messages of all other ' +
      'forgeries are looked at too.',
    expects: 'the message is not known, for each, when the effect of a later event is seen',
    why: 'A refusal is useless if the work was done before it, and only its effect shows what a 2xx to a forgery means.',
    failure: 'events are handled before their signature is verified, or although it is wrong',
    dependsOn: [firstCase],
    actions: [
      {
        kind: 'at-once',
        deliveries: [
          delivery('unsigned', { signature: 'absent', expects: 'anything' }),
          delivery('forged', { signature: 'by-wrong-secret', expects: 'anything' }),
        ],
      },
      { kind: 'in-turn', deliveries: [later] },
      { kind: 'effects', messages: ['unsigned', 'forged'], awaited: 'nothing', ofOthers: forgedMessages },
    ],
  },
];
