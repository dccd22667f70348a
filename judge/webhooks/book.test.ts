import { describe, expect, it, test, vi } from 'vitest';
import { groupRoom } from '../../contract/text-groups.ts';
import { arrivalOf } from './arrival.ts';
import { type Book, openBook } from './book.ts';
import { delivery, eventText } from './testing/deliveries.ts';

function bookOf(...texts: readonly string[]): Book {
  const book = openBook(texts.length);
  for (const [at, text] of texts.entries()) {
    const arrival = arrivalOf(delivery(at, text));
    if (arrival !== null) book.add(arrival);
  }
  return book;
}

const sent = eventText('message.sent', 'msg_1');

describe('two arrivals', () => {
  it.each([
    ['the same bytes', sent, sent, true],
    ['other bytes of one kind and message', sent, `${sent} `, true],
    ['another kind', sent, eventText('message.read', 'msg_1'), false],
    ['another message', sent, eventText('message.sent', 'msg_2'), false],
    ['the same bytes without a message', '{}', '{}', true],
    ['other bytes without a message', '{}', '{} ', false],
    [
      'an id that is no text',
      eventText('a', '', { message_id: 7 }),
      `${eventText('a', '', { message_id: 7 })} `,
      false,
    ],
  ])('%s', (_what, one, other, isSame) => {
    const book = bookOf(one, other);
    expect(book.isSameEvent(0, 1)).toBe(isSame);
    expect(book.isSameText(0, 1)).toBe(one === other);
  });
});

test('messages are told apart by the kind of their id, and lists and objects each by themselves', () => {
  const ids = [7, 7, '7', null, null, {}, {}, [1], [1], undefined, '', 'null'];
  const book = bookOf(...ids.map((message_id) => eventText('message.sent', '', { message_id })));
  expect([...book.byMessage(() => true)]).toEqual([[0, 1], [2], [3, 4], [5], [6], [7], [8], [9], [10], [11]]);
});

test('of names of events that a sender invents so many are told apart', () => {
  const count = 60_002;
  const book = openBook(count);
  const arrival = arrivalOf(delivery(0, sent));
  const envelope = arrival?.envelope ?? null;
  if (arrival === null || envelope === null) throw new Error('no event');
  for (let at = 0; at < count; at += 1) book.add({ ...arrival, envelope: { ...envelope, event: `${at}` } });
  expect([0, 1, 59_999, 60_000, 60_001].map(book.event)).toEqual(['0', '1', '59999', '59999', '59999']);
});

test('a closed book has given back its 32 bytes for each webhook, and what grouping took', () => {
  let freed = 0;
  const transfer = vi.spyOn(ArrayBuffer.prototype, 'transfer').mockImplementation(function (
    this: ArrayBuffer,
  ) {
    freed += this.byteLength;
    return this;
  });
  bookOf(sent, sent).close();
  const grouped = bookOf(sent, sent);
  expect([...grouped.byEvent()]).toEqual([[0, 1]]);
  grouped.close();
  const { next, table } = groupRoom(2);
  const grouping = next.byteLength + table.byteLength;
  expect(freed).toBe(2 * 2 * 32 + grouping);
  transfer.mockRestore();
});
