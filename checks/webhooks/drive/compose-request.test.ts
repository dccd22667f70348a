import { describe, expect, it, test } from 'vitest';
import { type Content, contents, forms, signatures } from '../../../contract/webhooks/drive/cases/words.ts';
import { type Delivery, delivery } from '../../../contract/webhooks/drive/delivery.ts';
import { findDriveCase } from '../../../contract/webhooks/drive/registry.ts';
import { eventSchema, simulatedReceivedDataSchema } from '../../../contract/webhooks/event.ts';
import { isSigned } from '../../../contract/webhooks/signature.ts';
import { composeBody, largeBodyBytes, longTextCharacters } from './compose-body.ts';
import { composeRequest } from './compose-request.ts';

const secret = 'first';
const facts = {
  host: '127.0.0.1:3000',
  userAgent: 'test',
  secrets: [secret, 'second'],
  wrongSecret: 'wrong',
  messageId: 'msg_test',
  timestampSeconds: 1_760_000_040,
} as const;

function composed(change: Partial<Omit<Delivery, 'name'>>) {
  const request = composeRequest(delivery('x', change), facts);
  if (request === null) throw new Error('no request');
  const named = (name: string) =>
    request.headers.filter(([field]) => field.toLowerCase() === name).map(([, value]) => value);
  return { ...request, named };
}

const jsonOf = (content: Content, form: Delivery['form'] = 'compact'): unknown =>
  JSON.parse(composed({ content, form }).body.toString('utf8'));

describe('bodies', () => {
  it.each([
    'received',
    'sent',
    'delivered',
    'read',
    'failed',
    'extra-fields',
    'other-type',
    'long-text',
    'large',
  ] as const)('%s fits the document', (content) => {
    expect(eventSchema.safeParse(jsonOf(content)).error).toBeUndefined();
  });

  it('a simulated message carries its four fields and no other', () => {
    const { data } = jsonOf('simulated') as { data: Record<string, unknown> };
    expect(simulatedReceivedDataSchema.safeParse(data).success).toBe(true);
    expect(Object.keys(data)).toEqual(['message_id', 'sender', 'type', 'body']);
  });

  it('an unknown event is none of the five', () => {
    expect(eventSchema.safeParse(jsonOf('unknown-event')).success).toBe(false);
  });

  it.each(contents)('%s is about the message that it says', (content) => {
    expect(jsonOf(content)).toMatchObject({ data: { message_id: 'msg_test' } });
  });

  it('the large one is exactly 1 MiB', () => {
    expect(composed({ content: 'large' }).body).toHaveLength(largeBodyBytes);
  });

  it('the long one is of 4,096 characters, however they are counted, and as long as its case says', () => {
    const { data } = jsonOf('long-text') as { data: { body: string } };
    expect([data.body.length, [...data.body].length]).toEqual([longTextCharacters, 4_096]);
    const bytes = composed({ content: 'long-text' }).body.length;
    expect(findDriveCase('allowed.long-text')?.sends).toContain(`${(bytes / 1_000).toFixed(1)} kB`);
  });

  it('forms are the same value in other bytes', () => {
    const bytes = forms.map((form) => composed({ form }).body.toString('utf8'));
    expect(new Set(bytes).size).toBe(forms.length);
    expect(jsonOf('received', 'white-space')).toEqual(jsonOf('received', 'compact'));
    expect(jsonOf('received', 'escaped')).toEqual(jsonOf('received', 'unescaped'));
    expect(composed({ form: 'escaped' }).body.toString('latin1')).toMatch(/^[\x20-\x7e]+$/);
    expect(composed({ form: 'escaped' }).body.includes('\\ud83d')).toBe(true);
    expect(composed({ form: 'escaped' }).body.includes('\\/')).toBe(true);
    expect(composed({ form: 'unescaped' }).body.includes('👋')).toBe(true);
  });
});

/** How the one verifier of this repository, which the service's receivers use too, takes it. */
function verified(signature: Delivery['signature'], secrets: readonly string[]): boolean {
  const { named, body } = composed({ signature, form: 'white-space' });
  const values = named('x-service-signature');
  return isSigned({ value: values.length === 0 ? null : values.join(', '), body, secrets });
}

describe('signatures', () => {
  const good = ['right', 'by-second-secret'] as const;

  it.each(good)('%s is right', (signature) => {
    expect(verified(signature, facts.secrets)).toBe(true);
  });

  it('by the second secret alone where it says so', () => {
    expect(verified('by-second-secret', [secret])).toBe(false);
    expect(
      composeRequest(delivery('x', { signature: 'by-second-secret' }), { ...facts, secrets: ['a'] }),
    ).toBeNull();
  });

  it.each(signatures.filter((kind) => !good.some((one) => one === kind)))('%s is wrong', (signature) => {
    const request = composeRequest(delivery('x', { signature }), facts);
    expect(request === null ? 'not made' : verified(signature, facts.secrets)).not.toBe(true);
  });

  it('each kind is another', () => {
    const made = signatures.flatMap((signature) => {
      const request = composeRequest(delivery('x', { signature, form: 'white-space' }), facts);
      return request === null ? [] : [JSON.stringify(request.headers)];
    });
    expect(new Set(made).size).toBe(made.length);
  });

  it('a secret is decoded where it can be', () => {
    for (const [signature, able] of [
      ['by-decoded-hex-secret', 'c0ffee'],
      ['by-decoded-base64-secret', 'whsec_c2VjcmV0'],
    ] as const) {
      expect(composeRequest(delivery('x', { signature }), { ...facts, secrets: [able] })).not.toBeNull();
      expect(composeRequest(delivery('x', { signature }), { ...facts, secrets: ['no!'] })).toBeNull();
    }
  });
});

describe('headers', () => {
  it.each([
    ['documented', 'X-Service-Signature'],
    ['lower-case', 'x-service-signature'],
    ['upper-case', 'X-SERVICE-SIGNATURE'],
    ['mixed-case', 'x-Service-sIGNATURE'],
  ] as const)('the name is written in %s', (header, name) => {
    expect(composed({ header }).headers.map(([field]) => field)).toContain(name);
  });

  it('the length is the body’s, or none where it is chunked', () => {
    const { named, body } = composed({});
    expect(named('content-length')).toEqual([String(body.length)]);
    expect(composed({ framing: 'chunked' }).named('content-length')).toEqual([]);
    expect(composed({ framing: 'chunked' }).named('transfer-encoding')).toEqual(['chunked']);
  });
});

test('what is composed twice is the same bytes', () => {
  const event = { content: 'received', form: 'compact', messageId: 'msg_1', timestampSeconds: 7 } as const;
  expect(composeBody(event).equals(composeBody(event))).toBe(true);
});
