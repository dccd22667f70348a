import { describe, expect, it, test } from 'vitest';
import type { Verdict } from '../../contract/verdict.ts';
import {
  judgeEnvelope,
  judgeEvent,
  judgeMessageId,
  judgeNumbers,
  judgeReadData,
  judgeReceivedData,
  judgeRecipientIsWaba,
} from './contents.ts';
import { delivery, eventText, originMs, saidBy, textOf } from './testing/deliveries.ts';
import { judgeEncodings, judgeOtherData } from './texts.ts';
import { judgeTimestamp } from './timestamps.ts';

const received = (data: Readonly<Record<string, unknown>> = {}) =>
  delivery(0, eventText('message.received', 'msg_1', data));
const read = (data: Readonly<Record<string, unknown>> = {}) =>
  delivery(1, eventText('message.read', 'msg_2', data));
const other = (data: Readonly<Record<string, unknown>> = {}) =>
  delivery(2, eventText('message.sent', 'msg_3', data));

it.each([
  ['waba_number', 'field-missing'],
  ['sender', 'field-missing'],
  ['recipient', 'field-missing'],
  ['message_id', 'field-missing'],
])('each field that the document shows has to be there: %s', (name, reason) => {
  const seen = `${reason}: ${name} is missing (1 of 1 event)`;
  expect(textOf(saidBy(judgeReceivedData, [received({ [name]: undefined })]))).toBe(seen);
  expect(textOf(saidBy(judgeReadData, [read({ [name]: undefined })]))).toBe(seen);
});

it.each([
  [received({ sender: undefined, body: undefined }), 'field-missing: sender is missing'],
  [received({ type: undefined }), 'field-missing: type is missing'],
  [received({ type: null }), 'field-no-string: type is null'],
  [received({ body: 7 }), 'body-missing: type is "text" and body is 7'],
  [received({ type: 'image', body: undefined }), 'held: 1 event'],
  [received(), 'held: 1 event'],
])('what a customer wrote: %#', (one, says) => {
  expect(textOf(saidBy(judgeReceivedData, [one]))).toContain(says);
});

it.each([
  [read({ status: undefined }), 'field-missing: status is missing'],
  [read({ status: 'READ' }), 'read-status: status is "READ"'],
  [read({ waba_number: '+1 555 0001000' }), 'held: 1 event'],
  [read(), 'held: 1 event'],
])('a receipt: %#', (one, says) => {
  expect(textOf(saidBy(judgeReadData, [one]))).toContain(says);
});

const simulated = (id: string, data: Readonly<Record<string, unknown>> = {}) =>
  delivery(3, eventText('message.received', id, { waba_number: undefined, recipient: undefined, ...data }));

describe('a message as a local simulation makes it', () => {
  it('is observed, and no violation', () => {
    const named =
      '2 message.received without waba_number and recipient, as the document allows for local simulation';
    const all = [simulated('msg_1'), simulated('msg_2', { type: 'image' })];
    const report = { waba_number: undefined, recipient: undefined, type: 'text', body: 'Hello!' };
    expect(textOf(saidBy(judgeReceivedData, all))).toBe(named);
    expect(textOf(saidBy(judgeReceivedData, [...all, received()]))).toBe('held: 1 event');
    const sent = delivery(4, eventText('message.sent', 'msg_3', report));
    expect(textOf(saidBy(judgeOtherData, [...all, received(), sent]))).toContain(`; ${named}; types image`);
  });

  it.each([
    ['waba_number is there', { waba_number: '15550001000' }, 'recipient is missing'],
    ['recipient is there', { recipient: '15550001000' }, 'waba_number is missing'],
    ['there is no body', { body: undefined }, 'waba_number is missing'],
    ['there is no sender', { sender: undefined }, 'waba_number is missing'],
    ['there is no id', { message_id: undefined }, 'message_id is missing'],
    ['there is no type', { type: undefined }, 'waba_number is missing'],
  ])('is none where %s', (_what, data, says) => {
    expect(textOf(saidBy(judgeReceivedData, [simulated('msg_1', data)]))).toContain(`field-missing: ${says}`);
  });
});

describe('an encoded body', () => {
  const gzip = delivery(4, '', {
    body: { base64: 'H4sI' },
    bodyBytes: 3,
    headers: [
      ['content-encoding', 'gzip'],
      ['X-Service-Signature', 'sha256=0'],
    ],
  });

  it('is not called no JSON', () => {
    expect(textOf(saidBy(judgeEnvelope, [gzip]))).toBe(
      'inconclusive: every body is encoded (Content-Encoding), which the document neither shows nor excludes',
    );
    const batch = delivery(
      5,
      `[${eventText('message.read', 'msg_2')},${eventText('message.read', 'msg_3')}]`,
    );
    expect(textOf(saidBy(judgeEnvelope, [gzip, batch]))).toBe(
      'inconclusive: 1 of 2 bodies are encoded (Content-Encoding), which the document neither shows nor excludes',
    );
    expect(textOf(saidBy(judgeEncodings, [gzip]))).toContain('encoded (Content-Encoding: gzip)');
    expect(textOf(saidBy(judgeEnvelope, [gzip, read()]))).toBe('held: 1 delivery');
  });

  it('is none where it is JSON all the same, or nothing encodes it', () => {
    const plain = delivery(5, '[]', { headers: [...gzip.headers] });
    expect(textOf(saidBy(judgeEnvelope, [plain]))).toContain('body-no-object');
    const identity = delivery(6, '<', {
      headers: [['Content-Encoding', 'identity'], ...gzip.headers.slice(1)],
    });
    expect(textOf(saidBy(judgeEnvelope, [identity]))).toContain('body-not-json');
  });
});

test('a byte order mark is called one', () => {
  expect(
    textOf(saidBy(judgeEnvelope, [delivery(0, `\ufeff${eventText('message.read', 'msg_1')}`)])),
  ).toContain('body-not-json: the body begins with a byte order mark (BOM)');
});

describe('several units of timestamps', () => {
  const at = (timestamp: number) =>
    delivery(0, JSON.stringify({ ...JSON.parse(eventText('message.sent', 'msg_1')), timestamp }));
  const [seconds, ms] = [at(originMs / 1_000), at(originMs)];

  it('are violated by those that are in another unit than most', () => {
    expect(textOf(saidBy(judgeTimestamp, [ms, seconds, seconds]))).toBe(
      `timestamp-units-mixed: timestamp ${originMs} is in milliseconds, and most are in seconds (1 of 3 events)`,
    );
    expect(textOf(saidBy(judgeTimestamp, [ms, seconds]))).toContain(
      `timestamp ${originMs / 1_000} is in seconds`,
    );
    expect(textOf(saidBy(judgeTimestamp, [ms, ms]))).toBe('held: 2 events');
  });
});

const quotedIn = (verdict: Verdict): readonly string[] =>
  verdict.kind === 'violated' ? verdict.evidence.exchanges.map(({ requestId }) => requestId) : [];

test('timestamps of several wrong units are quoted in the order in which they came', () => {
  const seconds = originMs / 1_000;
  const all = [seconds * 1e6, originMs, seconds * 1e6, originMs, seconds, seconds, seconds].map(
    (timestamp, index) => {
      const event = { ...JSON.parse(eventText('message.sent', 'msg_1')), timestamp };
      return delivery(index, JSON.stringify(event));
    },
  );
  expect(quotedIn(saidBy(judgeTimestamp, all))).toEqual([0, 1, 2, 3].map((index) => `delivery ${index}`));
});

describe('the business', () => {
  it('is who receives, however its number is written', () => {
    const all = [received(), received({ recipient: '+1 (555) 000-1000' })];
    expect(textOf(saidBy(judgeRecipientIsWaba, all))).toBe('held: 2 events');
  });

  it('is told beside who received', () => {
    expect(textOf(saidBy(judgeRecipientIsWaba, [received({ recipient: '15550009999' })]))).toBe(
      'recipient-differs: recipient is "15550009999", waba_number "15550001000" (1 of 1 event)',
    );
  });

  it('is compared by its whole name where no number has digits', () => {
    const ofRead = (data: object) =>
      textOf(saidBy(judgeReadData, [read({ sender: 'biz', waba_number: 'biz', ...data })]));
    expect(ofRead({ recipient: 'cust' })).toBe('held: 1 event');
    expect(ofRead({ recipient: 'biz' })).toContain('read-recipient');
    expect(ofRead({ sender: 'cust', recipient: 'cust' })).toContain('read-sender');
    const ofReceived = (recipient: string) =>
      textOf(saidBy(judgeRecipientIsWaba, [received({ recipient, waba_number: 'biz' })]));
    expect(ofReceived('biz')).toBe('held: 1 event');
    expect([ofReceived('cust'), ofReceived('15550001000')]).toEqual([
      expect.stringContaining('recipient-differs'),
      expect.stringContaining('recipient-differs'),
    ]);
  });

  it.each([{ recipient: 7 }, { waba_number: 7 }])('is not known where a number is no text: %j', (data) => {
    expect(saidBy(judgeRecipientIsWaba, [received(data), read()]).kind).toBe('inconclusive');
  });
});

describe('the form', () => {
  it.each(['xmsg_1', 'msg_', 'msg_a b', 'MSG_1', 'msg_1 '])('%j is no id of a message', (message_id) => {
    for (const one of [received, read])
      expect(saidBy(judgeMessageId, [one({ message_id })])).toMatchObject({
        reason: 'message-id-form',
        evidence: { expected: 'msg_<identifier>' },
      });
  });

  it.each(['waba_number', 'sender', 'recipient'])('%s has digits alone', (name) => {
    for (const value of ['+1555', '1555 ', ''])
      expect(textOf(saidBy(judgeNumbers, [read({ [name]: value })]))).toBe(
        `number-form: ${name} is "${value}" (1 of 3 numbers)`,
      );
  });

  it('quotes wrong numbers of the business first', () => {
    const wrong = [{ sender: '+1' }, { waba_number: '+2' }, { sender: '+3' }, { waba_number: '+4' }];
    const verdict = saidBy(
      judgeNumbers,
      wrong.map((data, index) => ({ ...read(data), index })),
    );
    expect(quotedIn(verdict)).toEqual(['delivery 1', 'delivery 3', 'delivery 0', 'delivery 2']);
    expect(textOf(verdict)).toBe('number-form: waba_number is "+2" (4 of 12 numbers)');
  });

  it('quotes one number of what customers sent before that of a receipt', () => {
    const wrong = [read({ sender: '+1' }), received({ sender: '+2' }), read({ waba_number: '+3' })];
    const all = [...wrong, received({ waba_number: '+4' })].map((one, index) => ({ ...one, index }));
    expect(quotedIn(saidBy(judgeNumbers, all))).toEqual([3, 2, 1, 0].map((index) => `delivery ${index}`));
  });

  it('counts a delivery once, however many numbers of it are wrong', () => {
    expect(saidBy(judgeNumbers, [read({ sender: '+1' })])).toMatchObject({ evidence: { exchangesTotal: 1 } });
    const wrong = read({ sender: '+1', recipient: '+2' });
    expect(saidBy(judgeNumbers, [wrong])).toMatchObject({ evidence: { exchangesTotal: 1 } });
    expect(saidBy(judgeNumbers, [wrong, read(), { ...wrong, index: 9 }])).toMatchObject({
      evidence: { exchangesTotal: 2 },
    });
  });

  it('is asked of what the document shows alone', () => {
    expect(textOf(saidBy(judgeNumbers, [received(), read(), other({ sender: '+1' })]))).toBe(
      'held: 6 numbers',
    );
    expect(textOf(saidBy(judgeMessageId, [read({ message_id: 'msg_a-12' })]))).toBe('held: 1 event');
    expect(textOf(saidBy(judgeMessageId, [received(), read(), other({ message_id: '1' })]))).toBe(
      'held: 2 events',
    );
    expect(saidBy(judgeNumbers, [read({ sender: 7, recipient: 7, waba_number: 7 })]).kind).toBe(
      'inconclusive',
    );
    expect(saidBy(judgeMessageId, [other()]).kind).toBe('inconclusive');
  });
});

describe('a timestamp', () => {
  const at = (timestamp: unknown) =>
    textOf(
      saidBy(judgeTimestamp, [delivery(0, JSON.stringify({ event: 'message.sent', timestamp, data: {} }))]),
    );

  it.each([originMs / 1_000, originMs, originMs * 1_000, originMs * 1e6])('may be %i', (timestamp) => {
    expect(at(timestamp)).toBe('held: 1 event');
  });

  it.each([
    [1_760_000_040.5, 'timestamp-no-integer: timestamp is 1760000040.5 (1 of 1 event)'],
    [null, 'timestamp-no-integer: timestamp is null (1 of 1 event)'],
    [7, 'timestamp-implausible: timestamp 7 is no time of the last year (1 of 1 event)'],
  ])('may not be %s', (timestamp, says) => {
    expect(at(timestamp)).toBe(says);
  });
});

describe('an envelope', () => {
  const body = (text: string) => textOf(saidBy(judgeEnvelope, [delivery(0, text)]));

  it.each([
    ['', 'body-not-json: the body is empty'],
    ['[]', 'body-no-object: the body is []'],
    ['null', 'body-no-object: the body is null'],
    ['{"timestamp":1,"data":{}}', 'event-missing: event is '],
    ['{"event":"a","timestamp":1,"data":[]}', 'data-no-object: data is []'],
    ['{"event":"a","timestamp":null,"data":{}}', 'held: 1 delivery'],
  ])('%s: %s', (text, says) => {
    expect(body(text)).toContain(says);
  });

  it('is asked of each event, not of what holds several', () => {
    const one = eventText('message.sent', 'msg_1');
    const several = delivery(1, `[${one},${one}]`);
    expect(textOf(saidBy(judgeEnvelope, [delivery(0, one), several]))).toBe('held: 1 delivery');
    expect(textOf(saidBy(judgeEnvelope, []))).toBe('inconclusive: no delivery arrived with its whole body');
    expect(textOf(saidBy(judgeEnvelope, [several]))).toBe(
      'inconclusive: no delivery arrived with its whole body',
    );
  });
});

it('knows the five events, and no other', () => {
  const of = (event: string) => textOf(saidBy(judgeEvent, [delivery(0, eventText(event, 'msg_1'))]));
  for (const kind of ['received', 'sent', 'delivered', 'read', 'failed'])
    expect(of(`message.${kind}`)).toBe('held: 1 event');
  expect(of('message.READ')).toBe('event-unknown: event is "message.READ" (1 of 1 event)');
});
