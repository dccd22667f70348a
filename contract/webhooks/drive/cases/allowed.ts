import type { DriveCase } from '../case.ts';
import { type Delivery, delivery } from '../delivery.ts';
import { firstCase } from './valid.ts';

type Allowed = Pick<DriveCase, 'title' | 'sends' | 'why' | 'failure'> & {
  readonly id: string;
  readonly level?: DriveCase['level'];
  readonly dependsOn?: readonly string[];
  readonly deliveries: readonly Delivery[];
};

function allowed({ id, level = 'must', dependsOn = [firstCase], deliveries, ...texts }: Allowed): DriveCase {
  return {
    id: `allowed.${id}`,
    group: 'What HTTP and JSON allow',
    level,
    ...texts,
    expects: '2xx within the budget',
    needs: 'nothing',
    dependsOn,
    actions: [{ kind: 'in-turn', deliveries }],
  };
}

/** Valid events, written as a library, a proxy or a later version of the service may write them. */
export const allowedCases: readonly DriveCase[] = [
  allowed({
    id: 'header-case',
    title: 'header name in any case',
    sends: 'The signature header as x-service-signature, X-SERVICE-SIGNATURE and x-Service-sIGNATURE.',
    why: 'Names of headers are case-insensitive (RFC 9110 §5.1), and HTTP/2 has lower case alone.',
    failure: 'the header is looked up by its exact spelling',
    deliveries: [
      delivery('lower-case', { header: 'lower-case' }),
      delivery('upper-case', { header: 'upper-case' }),
      delivery('mixed-case', { header: 'mixed-case' }),
    ],
  }),
  allowed({
    id: 'header-padding',
    level: 'should',
    title: 'white space around the signature',
    sends: 'The signature with spaces and a tab around it.',
    why: 'White space around the value of a header does not belong to it (RFC 9110 §5.5).',
    failure: 'the HTTP library keeps the white space, and it is compared too: trim the value',
    deliveries: [delivery('padded', { header: 'padded' })],
  }),
  allowed({
    id: 'unescaped',
    title: 'Unicode, not escaped',
    sends: 'A text with umlauts, Chinese, an emoji, "/" and "<" in UTF-8.',
    why: 'Customers write such texts, and JSON allows them unescaped (RFC 8259 §7).',
    failure: 'the body becomes text in another encoding before it is verified: keep the raw bytes',
    deliveries: [delivery('unescaped', { form: 'unescaped' })],
  }),
  allowed({
    id: 'escaped',
    title: 'Unicode escaped',
    sends: 'The same text as \\uXXXX, and "/" as "\\/".',
    why: 'Serialisers escape different characters, and the JSON has the same value (RFC 8259 §7).',
    failure: 'the body is parsed and serialised again before it is verified',
    deliveries: [delivery('escaped', { form: 'escaped' })],
  }),
  allowed({
    id: 'white-space',
    title: 'unusual white space',
    sends: 'JSON with spaces, tabs and line breaks between its tokens, and one at the end.',
    why: 'JSON allows it (RFC 8259 §2), and the signature is over the bytes.',
    failure: 'the body is parsed and serialised again, or trimmed, before it is verified',
    deliveries: [delivery('white-space', { form: 'white-space' })],
  }),
  allowed({
    id: 'chunked',
    dependsOn: ['allowed.unescaped'],
    title: 'chunked body',
    sends: 'A body in chunks that split a character, without Content-Length.',
    why: 'Senders that stream, and proxies, use chunks (RFC 9112 §7.1).',
    failure:
      'only Content-Length bytes are read, or each chunk is decoded to text by itself, or only the first chunk is read',
    deliveries: [delivery('chunked', { framing: 'chunked', form: 'unescaped' })],
  }),
  allowed({
    id: 'long-text',
    dependsOn: ['allowed.unescaped'],
    title: 'a long message',
    sends:
      'A message.received with a text of 4,096 characters, among them umlauts and Chinese: a body of about 5.7 kB in UTF-8.',
    why: 'Customers write long messages: messengers allow 4,096 characters. Whoever refuses them loses plain messages.',
    failure:
      'bodies are refused or cut from a length on that plain messages have: let the framework, and the proxy before it, ' +
      'take bodies of 100 kB at least',
    deliveries: [delivery('long-text', { content: 'long-text' })],
  }),
  allowed({
    id: 'large',
    level: 'should',
    title: 'a body of 1 MiB',
    sends: 'A message.received of 1,048,576 bytes.',
    why: 'The document gives no size, neither a largest nor one that has to be accepted. A refused body is a lost event.',
    failure: 'the framework’s limit for bodies is lower: express and others allow 100 kB',
    deliveries: [delivery('large', { content: 'large' })],
  }),
];
