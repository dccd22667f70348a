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

test.each([
  ['a read receipt turned round', 'message.read', { status: 'delivered' }],
  ['a number with a plus sign', 'message.read', { sender: '+15550001000' }],
  ['an id of another form', 'message.received', { message_id: '42' }],
  ['text without a body', 'message.received', { body: undefined }],
] as const)('%s does not', (_what, kind, change) => {
  const event = buildEvent(kind, sampleFacts, 1_760_000_040);
  expect(eventSchema.safeParse({ ...event, data: { ...event.data, ...change } }).success).toBe(false);
});

test('content other than text needs no body', () => {
  const event = buildEvent('message.received', sampleFacts, 1);
  const image = { ...event, data: { ...event.data, type: 'image', body: undefined } };
  expect(eventSchema.safeParse(image).success).toBe(true);
});

test('a locally simulated message lacks the numbers of the business, which a sent one must not', () => {
  const data = { message_id: 'msg_1', sender: '15550002000', type: 'text', body: 'x' };
  expect(simulatedReceivedDataSchema.safeParse(data).success).toBe(true);
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
  expect(['msg_1', 'msg_', 'MSG_1', 'msg_a b'].map((id) => messageIdSchema.safeParse(id).success)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(['15550001000', '+1555', '1 555', ''].map((n) => numberSchema.safeParse(n).success)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
