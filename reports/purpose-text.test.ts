import { expect, it } from 'vitest';
import { purposeText } from './purpose-text.ts';

it.each([
  ['saturate', 'filling the window up to its limit'],
  ['gap-edge', 'more than can have come back'],
  ['late-visit', 'filling the window once more, later'],
  ['retry-3', 'after the announced wait'],
  ['retry', 'after the announced wait'],
  ['stated-wait', 'after the documented wait'],
  ['ask', 'to see whether the limit has come back'],
  ['burst-2', 'as many as pass, once the limit had come back'],
  ['edge-2', 'the dearest request, while less is left than it costs'],
  ['confirm-1', 'confirming that the window is full'],
  ['other-key-2', 'with the other key'],
  ['fill@first+inner', 'filling a part of the window, of the limit “first”, by several scopes'],
  ['burst-2@10s', 'as many as pass, once the limit had come back, of the limit “10s”'],
  ['beside-flood', 'beside flood'],
  ['connection 12', 'connection 12'],
])('%s is said as "%s"', (purpose, text) => {
  expect(purposeText(purpose)).toBe(text);
});
