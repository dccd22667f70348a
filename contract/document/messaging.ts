import { documentedLimits, documentedWindowMs } from '../scopes.ts';
import type { Document } from './document.ts';

/** Section "Limits" of the messaging service's document. The parentheses give "2 per second" and "5 per second burst". */
const scopes = {
  standard: {
    title: 'standard routes',
    limit: documentedLimits.standard,
    perSecond: 2,
    // The one request that the document shows whole.
    request: { method: 'GET' as const, path: '/v1/status', headers: {} },
  },
  messages: {
    title: '/v1/messages',
    limit: documentedLimits.messages,
    perSecond: 5,
    paths: ['/v1/messages'],
  },
  media: { title: 'media uploads', limit: documentedLimits.media, paths: ['/v1/media'] },
};

/** The document that a deployment is held to where it names no other. */
export const messagingDocument = {
  version: 1,
  title: 'the messaging API',
  windowSeconds: documentedWindowMs / 1_000,
  headers: 'x-ratelimit',
  errors: 'success-false',
  keys: 'bearer',
  scopes,
} satisfies Document;
