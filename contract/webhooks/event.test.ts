import { expect, test } from 'vitest';
import { buildEvent, sampleFacts } from './build-event.ts';
import {
  envelopeSchema,
  eventKinds,
  eventSchema,
  messageIdSchema,
  numberSchema,
  readDataSchema,
  receivedDataSchema,
  simulatedReceivedDataSchema,
} from './event.ts';

test.each(eventKinds)('%s, as the service sends it, fits the document', (kind) => {
  const event = buildEvent(kind, sampleFacts, 1_760_000_040);
  expect(eventSchema.parse(JSON.parse(JSON.stringify(event)))).toEqual(event);
});

test('the reference service says of a message what the document shows, and the same of the others', () => {
  const business = { sender: '15550001000', recipient: '15550002000' };
  const outbound = { message_id: 'msg_sample0001', waba_number: '15550001000', ...business };
  const events = eventKinds.map((kind) => buildEvent(kind, { ...sampleFacts, text: 'Hello!' }, 7));
  expect(events).toEqual([
    {
      event: 'message.received',
      timestamp: 7,
      data: {
        ...outbound,
        sender: '15550002000',
        recipient: '15550001000',
        type: 'text',
        body: 'Hello!',
      },
    },
    { event: 'message.sent', timestamp: 7, data: { ...outbound, status: 'sent' } },
    { event: 'message.delivered', timestamp: 7, data: { ...outbound, status: 'delivered' } },
    { event: 'message.read', timestamp: 7, data: { ...outbound, status: 'read' } },
    {
      event: 'message.failed',
      timestamp: 7,
      data: {
        ...outbound,
        status: 'failed',
        error: { code: 'invalid_number', message: expect.stringMatching(/./) },
      },
    },
  ]);
});

test.each([
  ['a read receipt turned round', 'message.read', { status: 'delivered' }],
  ['a number with a plus sign', 'message.read', { sender: '+15550001000' }],
  ['an id of another form', 'message.received', { message_id: '42' }],
  ['text without a body', 'message.received', { body: undefined }],
] as const)('%s does not', (_what, kind, change) => {
  const event = buildEvent(kind, sampleFacts, 1_760_000_040);
  expect(eventSchema.safeParse({ ...event, data: { ...event.data, ...change } }).success).toBe(false);
});

test('text without a body is told by that field', () => {
  const { data } = buildEvent('message.received', sampleFacts, 1);
  expect(receivedDataSchema.safeParse({ ...data, body: undefined }).error?.issues).toMatchObject([
    { path: ['body'], message: 'must be present when type is "text"' },
  ]);
});

test('content other than text needs no body', () => {
  const event = buildEvent('message.received', sampleFacts, 1);
  const image = { ...event, data: { ...event.data, type: 'image', body: undefined } };
  expect(eventSchema.safeParse(image).success).toBe(true);
});

test('a locally simulated message lacks the numbers of the business, which a sent one must not', () => {
  const data = { message_id: 'msg_1', sender: '15550002000', type: 'text', body: 'x' };
  expect(simulatedReceivedDataSchema.safeParse(data).success).toBe(true);
  for (const name of ['message_id', 'sender', 'type', 'body'])
    expect(simulatedReceivedDataSchema.safeParse({ ...data, [name]: undefined }).success).toBe(false);
  expect(receivedDataSchema.safeParse(data).success).toBe(false);
  expect(readDataSchema.safeParse(data).success).toBe(false);
});

test('an envelope is judged apart from its data', () => {
  expect(envelopeSchema.safeParse({ event: 'other', timestamp: 1, data: {} }).success).toBe(true);
  for (const timestamp of ['1760000040', 1.5, null]) {
    expect(envelopeSchema.safeParse({ event: 'message.read', timestamp, data: {} }).success).toBe(false);
  }
  expect(envelopeSchema.safeParse({ event: 'message.read', timestamp: 1, data: [] }).success).toBe(false);
});

test('ids and numbers keep their form', () => {
  const ids = ['msg_1', 'msg_', 'MSG_1', 'msg_a b', 'a msg_1'];
  expect(ids.filter((id) => messageIdSchema.safeParse(id).success)).toEqual(['msg_1']);
  expect(['15550001000', '+1555', '1 555', ''].map((n) => numberSchema.safeParse(n).success)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
