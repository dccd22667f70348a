import { fieldOf, parseBody } from '../error-body.ts';
import type { Delivery } from './trace.ts';

/** Bytes as a trace keeps them: as text where that gives the same bytes again, otherwise as base64. */
export function keptBody(bytes: Uint8Array): Delivery['body'] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  return Buffer.from(text, 'utf8').equals(buffer) ? { text } : { base64: buffer.toString('base64') };
}

/** The bytes that were received, again. */
export function bytesOf(body: Delivery['body']): Uint8Array {
  return 'text' in body ? Buffer.from(body.text, 'utf8') : Buffer.from(body.base64, 'base64');
}

/** What an event is and what it is about, where a body says both as the document wants it; `null` where it says none. */
export function eventIn(text: string): { readonly event: string; readonly messageId: string | null } | null {
  const body = parseBody(text);
  const event = fieldOf(body, 'event');
  const messageId = fieldOf(body, 'data', 'message_id');
  if (typeof event !== 'string') return null;
  return { event, messageId: typeof messageId === 'string' ? messageId : null };
}
