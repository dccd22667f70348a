import type { DriveCase } from '../case.ts';
import { type Delivery, delivery } from '../delivery.ts';
import { firstCase } from './valid.ts';

/** The same event twice, with the same bytes, as after a retry of the sender. */
export function twice(message: string): readonly Delivery[] {
  return [delivery(`${message}-first`, { message }), delivery(`${message}-again`, { message })];
}

const outbound = ['sent', 'delivered', 'read'] as const;

/** All six orders in which three events may arrive. */
export const sixOrders: readonly (readonly (typeof outbound)[number][])[] = outbound.flatMap((first) =>
  outbound
    .filter((second) => second !== first)
    .map((second) => [first, second, ...outbound.filter((third) => third !== first && third !== second)]),
);

/** The label of an order's message, e.g. `read-sent-delivered`. */
export const labelOf = (order: readonly string[]): string => order.join('-');

/** Every order for a message of its own, one event after the other. */
export const inSixOrders: readonly Delivery[] = sixOrders.flatMap((order) =>
  order.map((content) => delivery(`${content}-of-${labelOf(order)}`, { message: labelOf(order), content })),
);

const shared = {
  group: 'Repeats and order',
  level: 'must',
  expects: '2xx within the budget, for each',
  needs: 'nothing',
} as const;

/**
 * Deliveries that senders with retries send sooner or later. The cases `effect.*` judge what a receiver does with them.
 */
export const repeatedCases: readonly DriveCase[] = [
  {
    ...shared,
    id: 'repeated.in-turn',
    title: 'the same event again',
    sends: 'The same bytes twice, one after the other.',
    why: 'A sender that missed an answer sends the event again. If it is refused, it sends the event once more.',
    failure: 'a repetition is answered with an error such as 409: answer 2xx and do nothing',
    dependsOn: [firstCase],
    actions: [{ kind: 'in-turn', deliveries: twice('repeated') }],
  },
  {
    ...shared,
    id: 'repeated.at-once',
    title: 'the same event twice at once',
    sends: 'The same bytes twice at the same time, for five messages.',
    why: 'A retry may overtake its first attempt.',
    failure: 'both requests look up the id before one of them stores it, and the second one fails',
    dependsOn: ['repeated.in-turn'],
    actions: ['a', 'b', 'c', 'd', 'e'].map((message) => ({ kind: 'at-once', deliveries: twice(message) })),
  },
  {
    ...shared,
    id: 'repeated.any-order',
    title: 'sent, delivered, read in any order',
    sends: 'The three events of a message in all six orders, a message for each.',
    why: 'The document promises no order between events.',
    failure: 'an event is refused because the one before it has not come yet',
    dependsOn: outbound.map((content) => `valid.${content}`),
    actions: [{ kind: 'in-turn', deliveries: inSixOrders }],
  },
];
