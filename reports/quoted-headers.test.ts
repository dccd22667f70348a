import { expect, test } from 'vitest';
import type { Document } from '../contract/document/document.ts';
import { messagingDocument } from '../contract/document/messaging.ts';
import { headerText } from './exchange-text.ts';
import { quotedHeaders } from './quoted-headers.ts';
import { quoted } from './testing/fixtures.ts';

const without = { limit: null, remaining: null, reset: null };
const none: Document = { ...messagingDocument, headers: 'none' };

test('tables of exchanges have the headers that the document promises, and others that came', () => {
  expect(quotedHeaders([quoted(without)], messagingDocument)).toEqual(['limit', 'remaining', 'reset']);
  expect(quotedHeaders([quoted(without)], none)).toEqual([]);
  expect(quotedHeaders([quoted(without), quoted({ ...without, remaining: '3' })], none)).toEqual([
    'remaining',
  ]);
});

test('the wait that refusals announce stands beside them where the document promises it', () => {
  const promising: Document = { ...none, refusal: { status: 429, retryAfter: 'seconds' } };
  const refused = quoted({ ...without, retryAfter: '0' });
  expect(quotedHeaders([refused], promising)).toEqual(['retry-after']);
  expect(quotedHeaders([refused], none)).toEqual([]);
  expect(quotedHeaders([{ ...refused, status: 200 }], promising)).toEqual([]);
});

test('a scope may have headers of its own', () => {
  const own = (scope: 'standard' | 'media'): Document => {
    const { scopes } = messagingDocument;
    return { ...none, scopes: { ...scopes, [scope]: { ...scopes[scope], headers: 'ietf' } } };
  };
  expect(quotedHeaders([quoted(without)], own('standard'))).toEqual(['limit', 'remaining']);
  expect(quotedHeaders([quoted(without)], own('media'))).toEqual([]);
});

test('what an answer lacks is absent; nothing is where none came, and no wait where the request passed', () => {
  expect(headerText(quoted(without), 'limit', 40)).toBe('absent');
  expect(headerText(quoted({ ...without, status: null }), 'limit', 40)).toBe('–');
  expect(headerText(quoted(), 'retry-after', 40)).toBe('absent');
  expect(headerText(quoted({ status: 200 }), 'retry-after', 40)).toBe('–');
  expect(headerText(quoted({ retryAfter: '0' }), 'retry-after', 40)).toBe('0');
});
