import { describe, expect, it } from 'vitest';
import type { SentMeanwhile } from '../../contract/webhooks/sent-meanwhile.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import { judgeDuplicates, judgeOrdering } from './deliveries.ts';
import { judgeLatency } from './latency.ts';
import { judgeRetries } from './retries.ts';
import { delivery, eventText, failed, originMs, saidBy, textOf, unanswered } from './testing/deliveries.ts';

const sent = eventText('message.sent', 'msg_1');
const read = eventText('message.read', 'msg_2');
const received = eventText('message.received', 'msg_3');

describe('the order of events', () => {
  const ordering = (...events: readonly (readonly [event: string, id: unknown])[]) =>
    textOf(
      saidBy(
        judgeOrdering,
        events.map(([event, id], at) =>
          delivery(at, eventText(`message.${event}`, 'msg_0', { message_id: id })),
        ),
      ),
    );

  it('is not known of messages with one event, and of events without a message', () => {
    const nothing = 'inconclusive: no message had more than one event';
    expect(ordering(['sent', 'msg_1'], ['read', 'msg_2'], ['read', 'msg_2'])).toBe(nothing);
    expect(ordering(['read', 7], ['sent', 7])).toBe(nothing);
  });

  it.each([
    [['sent', 'delivered', 'read'], 'all in order'],
    [['sent', 'read'], 'all in order'],
    [['sent', 'delivered', 'sent', 'read'], 'all in order'],
    [['sent', 'failed'], 'all in order'],
    [['delivered', 'sent', 'read'], '1 not in order'],
    [['sent', 'read', 'delivered'], '1 not in order'],
    [['read', 'sent'], '1 not in order'],
    [['read', 'failed'], 'all in order, 1 impossible (message.read, message.failed)'],
    [['failed', 'delivered'], 'all in order, 1 impossible (message.failed, message.delivered)'],
    [['received', 'read'], 'all in order, 1 impossible (message.received, message.read)'],
  ])('%j: %s', (events, said) => {
    const text = ordering(...events.map((event) => [event, 'msg_1'] as const));
    expect(text).toBe(`1 message with several events: ${said}`);
  });
});

describe('orders that cannot be', () => {
  it('are shown by the first', () => {
    const kinds = ['read', 'failed', 'delivered'];
    const events = ['msg_1', 'msg_2'].flatMap((id, nth) =>
      kinds.slice(0, 2 + nth).map((kind, at) => delivery(10 * nth + at, eventText(`message.${kind}`, id))),
    );
    expect(textOf(saidBy(judgeOrdering, events))).toMatch(/2 impossible \(message.read, message.failed\)$/);
  });
});

describe('retries', () => {
  const retries = (...deliveries: readonly Delivery[]) => textOf(saidBy(judgeRetries, deliveries));

  it('are not known of nothing, and not where all was taken at once', () => {
    expect(retries()).toBe('inconclusive: no delivery arrived with its whole body');
    expect(retries(delivery(0, sent), delivery(1, sent))).toBe(
      'not tested: every delivery was answered 2xx at once',
    );
  });

  it('are told for each kind of answer', () => {
    const slow: Partial<Delivery> = { answer: 'slow', answeredMs: originMs + 4_000 };
    expect(
      retries(
        delivery(0, sent, slow),
        delivery(1, read, { answer: 'limited', status: 429 }),
        delivery(2, received, { answer: 'gone', status: 410 }),
        delivery(6_000, sent),
      ),
    ).toBe(
      'after a slow 2xx: 1 of 1 came again, first pause 2.00 s, the same bytes; ' +
        'after 429: none of 1 came again while watched (6.00 s); ' +
        'after 410: none of 1 came again while watched (6.00 s)',
    );
  });

  it('have pauses from the answer on, or from the last byte, or from the head', () => {
    expect(
      retries(
        delivery(0, sent, { ...failed, answeredMs: originMs + 500 }),
        delivery(1_500, sent, { ...unanswered, completeMs: originMs + 1_700 }),
        delivery(4_700, sent),
      ),
    ).toBe(
      'after 500: 1 of 1 came again, first pause 1.00 s, the same bytes; ' +
        'after no answer: 1 of 1 came again, second pause 3.00 s, the same bytes',
    );
  });

  it.each(['ok', 'slow', 'error', 'limited', 'gone', 'other'] as const)(
    'are after no answer where the sender had gone before it, planned as %s',
    (answer) => {
      const left = { answer, status: null, answeredMs: null };
      expect(retries(delivery(0, sent, left), delivery(2_000, sent))).toBe(
        'after no answer: 1 of 1 came again, first pause 2.00 s, the same bytes',
      );
      const again = saidBy(judgeDuplicates, [delivery(0, sent, left), delivery(2_000, sent)]);
      expect(textOf(again)).toContain('0 of 1 event came again');
    },
  );

  it('have spans of pauses for the first four attempts, and are counted by their bytes', () => {
    const attempts = (id: string, everyMs: number) =>
      Array.from({ length: 6 }, (_, at) =>
        delivery(at * everyMs, eventText('message.sent', id, at === 5 ? { other: 1 } : {}), {
          ...failed,
          answeredMs: originMs + at * everyMs,
        }),
      );
    const [first, second, third] = [
      attempts('msg_1', 1_000),
      attempts('msg_2', 1_004),
      attempts('msg_3', 2_000),
    ];
    expect(retries(...first, ...second)).toBe(
      'after 500: 10 of 12 came again, first pause 1.00 s, second pause 1.00 s, third pause 1.00 s, fourth pause 1.00 s, other bytes in 2',
    );
    const [short, long] = [attempts('msg_4', 1_003), attempts('msg_5', 1_008)];
    expect(retries(...short.slice(0, 2), ...long.slice(0, 2))).toContain('first pause 1.00–1.01 s');
    expect(retries(...first.slice(0, 2), ...third.slice(0, 2))).toBe(
      'after 500: 2 of 4 came again, first pause 1.00–2.00 s, the same bytes',
    );
  });

  it('are watched from the first that did not come again', () => {
    expect(
      retries(delivery(500, sent, failed), delivery(1_000, read, failed), delivery(7_000, received)),
    ).toBe('after 500: none of 2 came again while watched (6.50 s)');
  });
});

describe('duplicates', () => {
  const withHeaders = (
    atMs: number,
    text: string,
    headers: Delivery['headers'],
    given: Partial<Delivery> = {},
  ) => {
    const one = delivery(atMs, text, given);
    return { ...one, headers: [...headers, ...one.headers] };
  };
  const duplicates = (...deliveries: readonly Delivery[]) => textOf(saidBy(judgeDuplicates, deliveries));

  it('are not known of nothing', () => {
    expect(duplicates()).toBe('inconclusive: no delivery arrived with its whole body');
  });

  /** Without the id of a message, an event is known by its bytes. */
  const bare = (at: number) => eventText('message.sent', 'msg_0', { message_id: 7, at });

  it('are what came again after a 2xx, not what came again until there was one', () => {
    expect(
      duplicates(
        ...[delivery(0, sent), delivery(1, sent)],
        ...[delivery(2, read, failed), delivery(3, read)],
        ...[delivery(4, received, failed), delivery(5, received, unanswered)],
        ...[delivery(6, bare(1)), delivery(7, bare(1)), delivery(8, bare(2))],
      ),
    ).toBe('2 of 5 events came again after a 2xx; no header gives events an id');
    expect(duplicates(delivery(0, sent, failed), delivery(1, sent))).toContain('0 of 1 event');
  });

  it.each<readonly [string, readonly (readonly [string, Delivery['headers']])[], string]>([
    ['one event alone', [[sent, [['X-Id', 'a']]]], 'no header'],
    [
      'an id for each',
      [
        [sent, [['X-Id', 'a']]],
        [read, [['X-Id', 'b']]],
      ],
      'X-Id gives every arrival',
    ],
    [
      'a name before it',
      [
        [
          sent,
          [
            ['A', '1'],
            ['X-Id', 'a'],
          ],
        ],
        [
          read,
          [
            ['A', '1'],
            ['X-Id', 'b'],
          ],
        ],
      ],
      'X-Id gives',
    ],
    [
      'the same for two',
      [
        [sent, [['X-Id', 'a']]],
        [read, [['X-Id', 'a']]],
      ],
      'no header',
    ],
    [
      'two for one',
      [
        [sent, [['X-Id', 'a']]],
        [read, [['X-Id', 'b']]],
        [sent, [['X-Id', 'c']]],
      ],
      'no header',
    ],
    [
      'another one’s for one',
      [
        [sent, [['X-Id', 'a']]],
        [read, [['X-Id', 'a']]],
        [sent, [['X-Id', 'b']]],
      ],
      'no header',
    ],
    [
      'none for one',
      [
        [sent, [['X-Id', 'a']]],
        [read, []],
      ],
      'no header',
    ],
    [
      'a date',
      [
        [sent, [['Date', 'a']]],
        [read, [['Date', 'b']]],
      ],
      'no header',
    ],
    [
      'a length',
      [
        [sent, [['content-length', '7']]],
        [read, [['content-length', '8']]],
      ],
      'no header',
    ],
    [
      'a word in a longer name',
      [
        [sent, [['X-Date', 'a']]],
        [read, [['X-Date', 'b']]],
      ],
      'X-Date gives',
    ],
    [
      'a longer name',
      [
        [sent, [['Host-Id', 'a']]],
        [read, [['Host-Id', 'b']]],
      ],
      'Host-Id gives',
    ],
  ])('have an id where a header gives one: %s', (_what, events, says) => {
    const deliveries = events.map(([text, headers], at) => withHeaders(at, text, headers));
    expect(duplicates(...deliveries)).toContain(`; ${says}`);
  });
});

describe('delay and loss', () => {
  const nothing: SentMeanwhile = { messages: 0, messagesUncertain: 0, limitedSpans: [] };
  const latency = (deliveries: readonly Delivery[], meanwhile: SentMeanwhile | null = null) =>
    textOf(saidBy(judgeLatency, deliveries, { meanwhile }));

  it('are not known without a time that can be right', () => {
    const unclear = 'inconclusive: no event arrived with a plausible timestamp';
    expect(latency([])).toBe(unclear);
    const texts = [7, '1760000040'].map((timestamp) => JSON.stringify({ ...JSON.parse(sent), timestamp }));
    expect(latency(texts.map((text, at) => delivery(at, text)))).toBe(unclear);
  });

  it('are told by the first arrival of each event, in whatever unit its time is', () => {
    const inMs = JSON.stringify({ ...JSON.parse(read), timestamp: originMs });
    expect(latency([delivery(100, sent), delivery(300, inMs), delivery(9_000, sent)], nothing)).toBe(
      '2 events, delay after their timestamp at most: p50 0.10 s, p99 0.30 s, slowest 0.30 s',
    );
  });

  it('are told apart for those that came while a key was refused, its ends among them', () => {
    const limitedSpans = [{ fromMs: originMs + 100, toMs: originMs + 200 }];
    const at = (ms: number, id: string) => delivery(ms, eventText('message.sent', id));
    const all = [at(99, 'msg_1'), at(100, 'msg_2'), at(200, 'msg_3'), at(201, 'msg_4'), at(900, 'msg_5')];
    const text = latency(all, { ...nothing, limitedSpans });
    expect(text).toContain('; 2 of them while a key was refused: p50 0.10 s, p99 0.20 s, slowest 0.20 s');
  });

  it('are of events alone', () => {
    expect(latency([delivery(0, '{}'), delivery(100, sent)])).toMatch(/^1 event, .* slowest 0.10 s$/);
  });

  it('count what came of messages that were injected', () => {
    const more = [{ kind: 'injected', atMs: 1, messages: 3 } as const];
    const text = textOf(saidBy(judgeLatency, [delivery(0, received), delivery(1, sent)], { more }));
    expect(text).toContain('; 1 of 3 injected had a message.received');
  });

  it('count each message once', () => {
    const others = [delivery(2, eventText('message.sent', 'msg_9')), delivery(3, read)];
    const twice = [delivery(0, sent), delivery(1, sent), ...others];
    expect(latency(twice, { ...nothing, messages: 3 })).toContain(
      '; 2 of 3 messages accepted had a message.sent',
    );
    expect(latency(twice, { ...nothing, messagesUncertain: 3 })).toContain('; 2 of 0 to 3 messages accepted');
  });
});
