import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../contract/verdict.ts';
import {
  type MustWebhookClauseId,
  type WebhookClauseId,
  webhookClauses,
} from '../../contract/webhooks/clauses.ts';
import type { SentMeanwhile } from '../../contract/webhooks/sent-meanwhile.ts';
import type { Delivery, WebhookTraceLine } from '../../contract/webhooks/trace.ts';
import { judgeWebhooks } from './judge-webhooks.ts';
import {
  delivery,
  eventText,
  failed,
  originMs,
  testSecret,
  traceOf,
  unanswered,
} from './testing/deliveries.ts';

function verdictOf(
  clause: WebhookClauseId,
  deliveries: readonly Delivery[],
  more: readonly WebhookTraceLine[] = [],
  meanwhile: SentMeanwhile | null = null,
): Verdict {
  const found = judgeWebhooks(traceOf(deliveries, more), {
    secrets: [testSecret],
    meanwhile,
  }).judgements.find((one) => one.clause === clause);
  if (found === undefined || found.verdict.kind === 'crashed') throw new Error(JSON.stringify(found));
  return found.verdict;
}

const textOf = (verdict: Verdict): string => (verdict.kind === 'observed' ? verdict.value : verdict.kind);

const unknown = { secrets: [], meanwhile: null };

const received = eventText('message.received', 'msg_1');
const read = eventText('message.read', 'msg_2');

describe('what proves nothing', () => {
  test('nothing arrived: nothing is decided', () => {
    const kinds = judgeWebhooks(traceOf([]), unknown).judgements.map(({ verdict }) => verdict.kind);
    expect(new Set(kinds)).toEqual(new Set(['inconclusive']));
  });

  test('a body that broke off, or was too long to keep, is not judged', () => {
    const cut = delivery(0, '{"event":', { completeMs: null, bodyBytes: 9 });
    const long = delivery(1, '{"event":', { bodyBytes: 2_000_000 });
    expect(verdictOf('webhook.envelope', [cut, long]).kind).toBe('inconclusive');
  });

  test('a byte order mark is a part of the body, which then is no JSON', () => {
    expect(verdictOf('webhook.envelope', [delivery(0, `\ufeff${read}`)])).toMatchObject({
      reason: 'body-not-json',
    });
  });

  test.each<readonly [string, readonly Delivery[]]>([
    ['after 500', [delivery(0, read, failed), delivery(900, read)]],
    ['after a time-out', [delivery(0, read, unanswered), delivery(5_000, read)]],
    [
      'after a slow answer',
      [delivery(0, read, { answer: 'slow', answeredMs: originMs + 9_000 }), delivery(8_000, read)],
    ],
    ['now and then, after a 2xx', [delivery(0, read), delivery(1, read), delivery(2, received)]],
  ])('an event that comes again %s breaks no promise', (_what, deliveries) => {
    expect(verdictOf('webhook.one-post-per-event', deliveries).kind).not.toBe('violated');
  });

  test('the same bytes without the id of a message may be different events', () => {
    const bare = '{"event":"message.sent","timestamp":1760000040,"data":{}}';
    const all = Array.from({ length: 8 }, (_, at) => delivery(at, bare));
    expect(verdictOf('webhook.one-post-per-event', all).kind).toBe('inconclusive');
  });

  test('data of sent, delivered and failed are not held to what the document shows of others', () => {
    const odd = JSON.stringify({
      event: 'message.sent',
      timestamp: 1_760_000_040,
      data: { id: 7, to: '+1 555' },
    });
    const kinds = judgeWebhooks(traceOf([delivery(0, odd)]), unknown).judgements.map(
      ({ verdict }) => verdict.kind,
    );
    expect(kinds).not.toContain('violated');
  });

  test('another clause that is violated is named where it leaves one open', () => {
    const batch = `[${received},${read}]`;
    expect(verdictOf('webhook.numbers', [delivery(0, batch)])).toMatchObject({
      kind: 'inconclusive',
      because: ['webhook.one-post-per-event'],
    });
    expect(verdictOf('webhook.numbers', [])).toMatchObject({ kind: 'inconclusive', because: [] });
  });
});

const thrice = Array.from({ length: 3 }, (_, at) => eventText('message.sent', `msg_${at}`));
const everyTwice = thrice.flatMap((text, at) => [delivery(at * 20, text), delivery(at * 20 + 10, text)]);

const body = (text: string) => [delivery(0, text)];
const signedAs = (...values: readonly string[]) => [
  delivery(0, read, {
    headers: [
      ['Content-Type', 'application/json'],
      ...values.map((value): [string, string] => ['X-Service-Signature', value]),
    ],
  }),
];
const typedAs = (...values: readonly string[]) => [
  delivery(0, read, {
    headers: [
      ...values.map((value): [string, string] => ['Content-Type', value]),
      ['X-Service-Signature', 'sha256=0'],
    ],
  }),
];
const event = (fields: object) => body(JSON.stringify({ ...JSON.parse(read), ...fields }));
const receivedWith = (data: Readonly<Record<string, unknown>>) =>
  body(eventText('message.received', 'msg_1', data));
const readWith = (data: Readonly<Record<string, unknown>>) => body(eventText('message.read', 'msg_1', data));

type Bad = readonly [deliveries: readonly Delivery[], reason: string];

/** Minimal bad deliveries for each clause, and the reason that must be given. */
const badDeliveries: Readonly<Record<MustWebhookClauseId, readonly Bad[]>> = {
  'webhook.method': [[[delivery(0, read, { method: 'PUT' })], 'not-post']],
  'webhook.content-type': [
    [typedAs(), 'content-type-missing'],
    [typedAs('application/json', 'application/json'), 'content-type-doubled'],
    [typedAs('text/plain'), 'content-type-wrong'],
  ],
  'webhook.signature-form': [
    [signedAs(), 'signature-missing'],
    [signedAs('sha256=0', 'sha256=0'), 'signature-doubled'],
    [signedAs('sha1=0'), 'signature-prefix'],
    [signedAs('sha256='), 'signature-empty'],
    [signedAs('sha256=0 0'), 'signature-space'],
  ],
  'webhook.one-post-per-event': [
    [body(`[${received},${read}]`), 'several-events-in-one-post'],
    [everyTwice, 'sent-twice'],
  ],
  'webhook.envelope': [
    [body('event=message.read'), 'body-not-json'],
    [body(JSON.stringify(read)), 'body-no-object'],
    [event({ event: 7 }), 'event-missing'],
    [event({ timestamp: undefined }), 'timestamp-missing'],
    [event({ data: '{}' }), 'data-no-object'],
  ],
  'webhook.event': [[event({ event: 'message.seen' }), 'event-unknown']],
  'webhook.timestamp': [
    [event({ timestamp: '1760000040' }), 'timestamp-no-integer'],
    [event({ timestamp: 0 }), 'timestamp-implausible'],
  ],
  'webhook.received-data': [
    [receivedWith({ sender: undefined }), 'field-missing'],
    [receivedWith({ sender: 15_550_002_000 }), 'field-no-string'],
    [receivedWith({ body: undefined }), 'body-missing'],
  ],
  'webhook.read-data': [
    [readWith({ message_id: undefined }), 'field-missing'],
    [readWith({ status: 'seen' }), 'read-status'],
    [readWith({ sender: '15550002000' }), 'read-sender'],
    [readWith({ recipient: '15550001000' }), 'read-recipient'],
  ],
  'webhook.message-id': [[readWith({ message_id: '1' }), 'message-id-form']],
  'webhook.numbers': [[readWith({ recipient: '+15550002000' }), 'number-form']],
  'webhook.recipient-is-waba': [[receivedWith({ recipient: '15550009999' }), 'recipient-differs']],
};

const bad = Object.entries(badDeliveries).flatMap(([clause, rows]) =>
  rows.map(([deliveries, reason]) => ({ clause: clause as WebhookClauseId, deliveries, reason })),
);

describe('minimal bad deliveries violate their clause, for its reason, and no other', () => {
  test.each(bad)('$clause: $reason', ({ clause, deliveries, reason }) => {
    expect(verdictOf(clause, deliveries)).toMatchObject({ kind: 'violated', reason });
    const all = judgeWebhooks(traceOf(deliveries), unknown).judgements;
    expect(all.filter(({ verdict }) => verdict.kind === 'violated')).toHaveLength(1);
  });
});

test('evidence quotes the deliveries, with times from the first of them', () => {
  const verdict = verdictOf('webhook.one-post-per-event', everyTwice);
  expect(verdict.kind === 'violated' ? verdict.evidence.exchanges[1] : null).toMatchObject({
    requestId: 'delivery 10',
    sentMs: 10,
    receivedMs: 15,
    status: 204,
  });
});

test('every event twice, where no later request shows that an answer was read, is left open', () => {
  const all = Array.from({ length: 8 }, (_, at) =>
    delivery(at * 20, eventText('message.sent', `msg_${at % 4}`), { connection: at }),
  );
  expect(verdictOf('webhook.one-post-per-event', all).kind).toBe('inconclusive');
});

describe('what is observed', () => {
  test('retries by kind of answer, with their pauses', () => {
    const deliveries = [
      delivery(0, read, failed),
      delivery(505, read, failed),
      delivery(1_510, read),
      delivery(2_000, received, { answer: 'gone', status: 410 }),
      delivery(9_000, eventText('message.sent', 'msg_3'), unanswered),
      delivery(15_000, eventText('message.sent', 'msg_3', { again: true })),
    ];
    expect(textOf(verdictOf('webhook.retries', deliveries))).toBe(
      'after 500: 2 of 2 came again, first pause 0.50 s, second pause 1.00 s, the same bytes; ' +
        'after 410: none of 1 came again while watched (13.00 s); ' +
        'after no answer: 1 of 1 came again, first pause 6.00 s, other bytes in 1',
    );
  });

  test('duplicates, and the header that gives them one id', () => {
    const withId = (atMs: number, text: string, id: string): Delivery => {
      const one = delivery(atMs, text);
      return { ...one, headers: [...one.headers, ['X-Event-Id', id]] };
    };
    const deliveries = [withId(0, read, 'a'), withId(1, received, 'b'), withId(2, read, 'a')];
    expect(textOf(verdictOf('webhook.duplicates', deliveries))).toBe(
      '1 of 2 events came again after a 2xx; X-Event-Id gives every arrival of an event one id',
    );
  });

  test('order, and what no message can go through', () => {
    const sent = (...events: readonly (readonly [string, string])[]) =>
      events.map(([event, id], at) => delivery(at, eventText(`message.${event}`, id)));
    const deliveries = sent(
      ['sent', 'msg_1'],
      ['delivered', 'msg_1'],
      ['read', 'msg_2'],
      ['sent', 'msg_2'],
      ['failed', 'msg_3'],
      ['delivered', 'msg_3'],
    );
    expect(textOf(verdictOf('webhook.ordering', deliveries))).toBe(
      '3 messages with several events: 1 not in order, 1 impossible (message.failed, message.delivered)',
    );
  });

  test('delay and loss, also while a key was refused', () => {
    const deliveries = [delivery(100, eventText('message.sent', 'msg_1')), delivery(700, received)];
    const text = textOf(
      verdictOf('webhook.latency', deliveries, [{ kind: 'injected', atMs: originMs, messages: 1 }], {
        messages: 2,
        messagesUncertain: 1,
        limitedSpans: [{ fromMs: originMs + 600, toMs: originMs + 800 }],
      }),
    );
    expect(text).toBe(
      '2 events, delay after their timestamp at most: p50 0.10 s, p99 0.70 s, slowest 0.70 s; ' +
        '1 of them while a key was refused: p50 0.70 s, p99 0.70 s, slowest 0.70 s; ' +
        '1 of 2 to 3 messages accepted had a message.sent; 1 of 1 injected had a message.received',
    );
  });

  test('how text is written', () => {
    const bodies = ['{"a":"ü","n":12345678901234567890}', '{"a":"\\u00fc \\/ <"}\n'];
    expect(
      textOf(
        verdictOf(
          'webhook.encodings',
          bodies.map((text, at) => delivery(at, text)),
        ),
      ),
    ).toBe(
      'non-ASCII both raw and escaped, "/" escaped, "<" raw, compact, ends with a line break, integers above 2⁵³, which a double cannot hold',
    );
  });
});

test('every clause on webhooks is judged', () => {
  expect(judgeWebhooks(traceOf([delivery(0, read)]), unknown).judgements.map(({ clause }) => clause)).toEqual(
    webhookClauses.map(({ id }) => id),
  );
});
