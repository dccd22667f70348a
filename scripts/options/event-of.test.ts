import { expect, test } from 'vitest';
import { UsageError } from '../../contract/usage-error.ts';
import { eventSchema } from '../../contract/webhooks/event.ts';
import { type EventFlags, eventOf } from './event-of.ts';

const event = (name: string, flags: EventFlags = {}) =>
  eventOf(name, { flags, freshId: 'msg_fresh', nowSeconds: 1_760_000_040 });

test.each(['received', 'sent', 'delivered', 'read', 'failed', 'message.read'])(
  '%s fits the document',
  (name) => {
    expect(eventSchema.safeParse(event(name)).error).toBeUndefined();
    expect(event(name)).toMatchObject({ timestamp: 1_760_000_040, data: { message_id: 'msg_fresh' } });
  },
);

test('flags say what it is about', () => {
  const flags = { messageId: 'msg_1', business: '1555', customer: '1666', text: 'Hi', timestamp: 7 };
  expect(event('received', flags)).toMatchObject({
    timestamp: 7,
    data: { message_id: 'msg_1', waba_number: '1555', recipient: '1555', sender: '1666', body: 'Hi' },
  });
});

test('a simulated message has four fields', () => {
  expect(Object.keys(event('received', { simulated: true }).data)).toEqual([
    'message_id',
    'sender',
    'type',
    'body',
  ]);
});

test('a field may be set to anything: JSON where it is JSON', () => {
  const { data } = event('sent', { set: ['status=odd', 'count=3', 'error={"code":"x"}', 'note=a=b'] });
  expect(data).toMatchObject({ status: 'odd', count: 3, error: { code: 'x' }, note: 'a=b' });
});

test.each([
  ['raed', {}, 'did you mean read?'],
  ['read', { simulated: true }, '--simulated is for message.received'],
  ['read', { text: 'hi' }, '--text is for message.received, not for message.read'],
  ['sent', { business: '+49123' }, '--business +49123: give digits only'],
  ['sent', { customer: '' }, 'give digits only'],
  ['read', { set: ['=x'] }, 'give a field of data and its value'],
] as const)('%s %j says what to do', (name, flags, says) => {
  expect(() => event(name, flags)).toThrow(UsageError);
  expect(() => event(name, flags)).toThrow(says);
});
