import { Parser } from '@asyncapi/parser';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, test } from 'vitest';
import { buildEvent, sampleFacts } from '../../contract/webhooks/build-event.ts';
import { eventKinds, eventSchema } from '../../contract/webhooks/event.ts';
import { asyncApiDocument, eventJsonSchema } from './event-schemas.ts';

describe('the AsyncAPI document', () => {
  const parser = new Parser();

  it('is one by its own parser, with a message for each event', async () => {
    const { document, diagnostics } = await parser.parse(JSON.stringify(asyncApiDocument('1.2.3')));
    const wrong = diagnostics.filter(({ severity }) => severity === 0);
    expect(wrong).toEqual([]);
    expect(document?.version()).toBe('3.0.0');
    const messages = document?.operations().get('sendEvent')?.messages().all() ?? [];
    expect(messages.map((message) => message.name())).toEqual(eventKinds);
    expect(messages.every((message) => message.hasPayload())).toBe(true);
  });

  it('would not be one with a message that there is not', async () => {
    const text = JSON.stringify(asyncApiDocument('1')).replace(
      '#/components/messages/message.read',
      '#/gone',
    );
    const diagnostics = await parser.validate(text);
    expect(diagnostics.some(({ severity }) => severity === 0)).toBe(true);
  });

  it('has examples that are as its schemas say', () => {
    const { messages } = asyncApiDocument('1').components;
    for (const [kind, { payload, examples }] of Object.entries(messages)) {
      const fits = new Ajv({ strict: false }).compile(payload);
      expect([kind, examples.map((example) => fits(example.payload))]).toEqual([kind, [true]]);
    }
  });
});

describe('the JSON Schema', () => {
  const validate = new Ajv2020({ allowUnionTypes: true, strictRequired: false }).compile(eventJsonSchema());
  const read = buildEvent('message.read', sampleFacts, 1);
  const received = buildEvent('message.received', sampleFacts, 1);
  const changed = (event: typeof read, data: object) => ({ ...event, data: { ...event.data, ...data } });

  const rows: readonly (readonly [string, unknown])[] = [
    ...eventKinds.map((kind) => [kind, buildEvent(kind, sampleFacts, 1)] as const),
    ['more fields', { ...changed(read, { more: [1] }), more: {} }],
    ['no event', { timestamp: 1, data: {} }],
    ['another event', { event: 'message.gone', timestamp: 1, data: {} }],
    ['a timestamp that is no integer', { ...read, timestamp: 1.5 }],
    ['a plus sign', changed(read, { recipient: '+1555' })],
    ['another status', changed(read, { status: 'seen' })],
    ['an id of another form', changed(received, { message_id: '7' })],
    ['text without a body', changed(received, { body: undefined })],
    ['an image without a body', changed(received, { type: 'image', body: undefined })],
    ['a body that is no text', changed(received, { type: 'image', body: 7 })],
    ['a list', [read]],
  ];

  test.each(rows)('agrees with the judge on %s', (_what, event) => {
    const value: unknown = JSON.parse(JSON.stringify(event));
    expect(validate(value)).toBe(eventSchema.safeParse(value).success);
  });
});
