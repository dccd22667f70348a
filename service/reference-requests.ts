import type { DeploymentInput } from '../contract/deployment.ts';
import type { MessagingScope } from '../contract/scopes.ts';
import { referenceMessageId, sampleCustomerNumber } from './choices.ts';

/**
 * The requests that stand for the scopes of this service. Another deployment names its own requests in its settings.
 */
export const referenceRequests = {
  standard: { method: 'GET', path: '/v1/status' },
  messages: {
    method: 'POST',
    path: '/v1/messages',
    body: { json: { recipient: sampleCustomerNumber, type: 'text', body: 'conformance probe' } },
  },
  messagesSubpath: { method: 'GET', path: `/v1/messages/${referenceMessageId}` },
  media: { method: 'POST', path: '/v1/media', body: { file: { filename: 'probe.bin', bytes: 64 } } },
  otherError: { method: 'GET', path: '/v1/no-such-resource' },
} as const satisfies DeploymentInput['requests'];

/** A request of this service with its body as text, which any HTTP client can send. */
export type TextRequest = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

const boundary = 'a-part-of-an-upload';

/** The request that stands for a scope. For messages, `reading` gives a request without side effects. */
export function textRequest(scope: MessagingScope, wish: 'any' | 'reading'): TextRequest {
  const { standard, messages, messagesSubpath, media } = referenceRequests;
  switch (scope) {
    case 'standard':
      return { method: 'GET', path: standard.path, headers: {}, body: null };
    case 'messages': {
      if (wish === 'reading') return { method: 'GET', path: messagesSubpath.path, headers: {}, body: null };
      const headers = { 'content-type': 'application/json' };
      return { method: 'POST', path: messages.path, headers, body: JSON.stringify(messages.body.json) };
    }
    case 'media': {
      const { filename, bytes } = media.body.file;
      const head = `Content-Disposition: form-data; name="file"; filename="${filename}"`;
      const type = 'Content-Type: application/octet-stream';
      const body = `--${boundary}\r\n${head}\r\n${type}\r\n\r\n${'x'.repeat(bytes)}\r\n--${boundary}--\r\n`;
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
      return { method: 'POST', path: media.path, headers, body };
    }
    default:
      return scope satisfies never;
  }
}
