import { expect, test } from 'vitest';
import { storyOf } from './story-of.ts';

test.each([
  ['read', ['message.read']],
  ['message.read', ['message.read']],
  ['received-sent-delivered-read', ['message.received', 'message.sent', 'message.delivered', 'message.read']],
  ['out-of-order', ['message.read', 'message.delivered', 'message.sent']],
  ['sent-sent', ['message.sent', 'message.sent']],
])('%s', (name, kinds) => {
  expect(storyOf(name)).toEqual(kinds);
});

test.each([
  ['reed', 'There is no event or story "reed"; did you mean read'],
  ['sent-reed', 'There is no event "reed" in "sent-reed"; did you mean read'],
  ['conversatoin', 'did you mean conversation?'],
  [Array.from({ length: 21 }, () => 'sent').join('-'), 'has 21 events; a story has at most 20'],
  ['toString', 'There is no event or story'],
])('%s is refused', (name, says) => {
  expect(() => storyOf(name)).toThrow(says);
});
