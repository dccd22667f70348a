import { describe, expect, it } from 'vitest';
import { messagingDocument } from './messaging.ts';
import { pathOf, scopesByPath } from './paths.ts';

const scopeOf = scopesByPath(messagingDocument);

describe('scope of a request target', () => {
  it.each([
    ['/v1/messages', 'messages'],
    ['/v1/messages/', 'messages'],
    ['/v1/messages/msg_1/receipts', 'messages'],
    ['/v1/messages?limit=5', 'messages'],
    ['/v1/messages#top', 'messages'],
    ['/v1/%6Dessages', 'messages'],
    ['http://api.example.test/v1/messages', 'messages'],
    ['HTTPS://api.example.test:8443/v1/media?x', 'media'],
    ['/v1/media', 'media'],
    ['/v1/media/med_1', 'media'],
    ['/v1/mediaplayer', 'standard'],
    ['/v1/messages-archive', 'standard'],
    ['/v1/Messages', 'standard'],
    ['/v1/status?next=/v1/messages', 'standard'],
    ['/v1%2Fmessages', 'standard'],
    ['/v1/messages/%zz', 'messages'],
    ['/', 'standard'],
    ['*', 'standard'],
    ['', 'standard'],
  ])('%s is %s', (target, scope) => {
    expect(scopeOf(pathOf(target))).toBe(scope);
  });
});
