import { expect, test } from 'vitest';
import { eventIn } from './body.ts';

test.each([
  ['{"event":"message.read","data":{"message_id":"msg_1"}}', { event: 'message.read', messageId: 'msg_1' }],
  ['{"event":"other","data":{"message_id":7}}', { event: 'other', messageId: null }],
  ['{"event":"other","message_id":"msg_1"}', { event: 'other', messageId: null }],
  ['{"event":7,"data":{"message_id":"msg_1"}}', null],
  ['{"data":{"message_id":"msg_1"}}', null],
  ['no JSON', null],
])('the event in %s', (text, event) => {
  expect(eventIn(text)).toEqual(event);
});
