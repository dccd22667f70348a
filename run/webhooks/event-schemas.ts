import { z } from 'zod';
import { buildEvent, sampleFacts } from '../../contract/webhooks/build-event.ts';
import { type EventKind, eventKinds, eventSchema } from '../../contract/webhooks/event.ts';
import { signatureHeader, signaturePrefix } from '../../contract/webhooks/signature.ts';

/** The time of the examples, Unix time. */
const exampleSeconds = 1_760_000_040;

/** An event of any kind as JSON Schema, draft 2020-12. */
export function eventJsonSchema() {
  return z.toJSONSchema(eventSchema);
}

/**
 * The webhooks as a document of AsyncAPI 3.0: what the service sends, one message for each kind of event. Its payloads
 * are JSON Schema of draft 7, which AsyncAPI builds on.
 */
export function asyncApiDocument(version: string) {
  const toMessage = (kind: EventKind) => ({ $ref: `#/components/messages/${kind}` });
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Webhooks of the messaging API',
      version,
      description:
        'One POST for each event, to an address that the subscriber names. Any fields beyond these may come.',
    },
    defaultContentType: 'application/json',
    channels: {
      webhooks: {
        address: null,
        description: 'The address that the subscriber names.',
        messages: Object.fromEntries(eventKinds.map((kind) => [kind, toMessage(kind)])),
      },
    },
    operations: {
      sendEvent: {
        action: 'send',
        channel: { $ref: '#/channels/webhooks' },
        messages: eventKinds.map((kind) => ({ $ref: `#/channels/webhooks/messages/${kind}` })),
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      },
    },
    components: {
      messages: Object.fromEntries(eventKinds.map((kind) => [kind, messageOf(kind)])),
    },
  };
}

function messageOf(kind: EventKind) {
  return {
    name: kind,
    title: kind,
    contentType: 'application/json',
    headers: {
      type: 'object',
      required: [signatureHeader],
      properties: {
        [signatureHeader]: {
          type: 'string',
          pattern: `^${signaturePrefix}\\S+$`,
          description:
            'Exactly once. The document does not show how it is computed; the convention is HMAC-SHA256 over the exact ' +
            'bytes of the body, as lower-case hex.',
        },
      },
    },
    payload: payloadOf(kind),
    examples: [
      {
        headers: { [signatureHeader]: `${signaturePrefix}${'0'.repeat(64)}` },
        payload: buildEvent(kind, sampleFacts, exampleSeconds),
      },
    ],
  };
}

function payloadOf(kind: EventKind) {
  const schema = eventSchema.options.find(({ shape }) => shape.event.value === kind);
  if (schema === undefined) throw new Error(`no schema of ${kind}`);
  const { $schema: _draft, ...payload } = z.toJSONSchema(schema, { target: 'draft-7' });
  return payload;
}
