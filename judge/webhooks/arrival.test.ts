import { describe, expect, it, test } from 'vitest';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import { type Arrival, arrivalOf, envelopeOf, headerValues } from './arrival.ts';
import { openBook } from './book.ts';
import { delivery, eventText } from './testing/deliveries.ts';

test('a header has a value each line, however its name is written', () => {
  const headers: Delivery['headers'] = [
    ['x-TIME', '1'],
    ['X-Times', '2'],
    ['X-Time', '3'],
  ];
  expect(headerValues(delivery(0, '', { headers }), 'X-Time')).toEqual(['1', '3']);
});

describe('an envelope', () => {
  it.each([
    [
      { event: 'a', timestamp: 1, data: { b: 2 }, more: 3 },
      { event: 'a', timestamp: 1, data: { b: 2 } },
    ],
    [
      { event: 'a', timestamp: null, data: {} },
      { event: 'a', timestamp: null, data: {} },
    ],
    [{ event: 1, timestamp: 1, data: {} }, null],
    [{ event: 'a', data: {} }, null],
    [{ event: 'a', timestamp: 1 }, null],
    [{ event: 'a', timestamp: 1, data: [] }, null],
    [{ event: 'a', timestamp: 1, data: null }, null],
    [{ event: 'a', timestamp: 1, data: 'b' }, null],
    [null, null],
    ['text', null],
    [Object.assign([], { event: 'a', timestamp: 1, data: {} }), null],
  ])('of %j is %j', (value, envelope) => {
    expect(envelopeOf(value)).toEqual(envelope);
  });
});

describe('a body', () => {
  const arrivalWith = (given: Partial<Delivery>): Arrival | null => arrivalOf(delivery(0, '{}', given));

  it('is known where all of it came, and was kept', () => {
    expect(arrivalWith({})).toMatchObject({ text: '{}', parsed: { kind: 'json' }, envelope: null });
    expect(arrivalWith({ completeMs: null })).toBeNull();
    expect(arrivalWith({ bodyBytes: 3 })).toBeNull();
    expect(arrivalWith({ body: { base64: '/3g=' }, bodyBytes: 3 })).toBeNull();
    expect(arrivalWith({ body: { text: 'ü' }, bodyBytes: 2 })?.text).toBe('ü');
  });

  it('has its own bytes where it is no text', () => {
    const arrival = arrivalWith({ body: { base64: '77u//3g=' }, bodyBytes: 5 });
    expect(arrival?.text).toBe('\ufeff\ufffdx');
    expect([...(arrival?.bytes ?? [])]).toEqual([0xef, 0xbb, 0xbf, 0xff, 0x78]);
    expect([...(arrivalWith({})?.bytes ?? [])]).toEqual([0x7b, 0x7d]);
  });

  it('has its event', () => {
    const text = eventText('message.read', 'msg_1');
    expect(arrivalOf(delivery(0, text))?.envelope).toMatchObject({ event: 'message.read' });
    expect(arrivalOf(delivery(0, `x${text}`))?.envelope).toBeNull();
  });

  it.each([
    [[], '<', null],
    [['gzip'], '<', 'gzip'],
    [['gzip'], '{}', null],
    [['gzip', 'identity', 'br'], '<', 'gzip, br'],
    [[' Identity '], '<', null],
    [['identity, gzip'], '<', 'identity, gzip'],
    [['no identity'], '<', 'no identity'],
  ])('sent with %j, %s, is encoded by %j', (encodings, text, encoded) => {
    const headers = encodings.map((value): [string, string] => ['Content-Encoding', value]);
    expect(arrivalOf(delivery(0, text, { headers }))?.encoded).toBe(encoded);
  });
});

describe('two arrivals are one event', () => {
  const isSame = (...texts: readonly [string, string]): boolean => {
    const book = openBook(2);
    for (const [at, text] of texts.entries()) book.add(arrivalOf(delivery(at, text)) as Arrival);
    return book.isSameEvent(0, 1);
  };
  const sent = eventText('message.sent', 'msg_1');

  it('where kind and message are the same', () => {
    expect(isSame(`${sent} `, sent)).toBe(true);
    expect(isSame(eventText('message.read', 'msg_1'), sent)).toBe(false);
    expect(isSame(eventText('message.sent', 'msg_2'), sent)).toBe(false);
  });

  it('where the bytes are the same, without the id of a message', () => {
    for (const message_id of [undefined, 7]) {
      const text = eventText('message.sent', '', { message_id });
      expect([isSame(text, text), isSame(text, `${text} `)]).toEqual([true, false]);
    }
    expect(isSame('no JSON', 'no JSON')).toBe(true);
  });
});
