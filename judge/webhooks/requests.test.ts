import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import { arrivalOf } from './arrival.ts';
import { eventsIn, judgeContentType, judgeMethod, judgeOnePost, judgeSignatureForm } from './requests.ts';
import { delivery, eventText, failed, originMs, saidBy, textOf } from './testing/deliveries.ts';

const sent = (id: number) => eventText('message.sent', `msg_${id}`);
const withHeaders = (...headers: Delivery['headers']) => delivery(0, sent(0), { headers });

describe('how many events a body holds', () => {
  const inBody = (text: string) => {
    const arrival = arrivalOf(delivery(0, text));
    return eventsIn(arrival!);
  };
  const [a, b] = [sent(1), sent(2)];

  it.each([
    [a, 1],
    [`[${a}]`, 1],
    [`[${a},${b}]`, 2],
    [`[${a},1,${b},{}]`, 2],
    ['[1,2]', 1],
    [`{"events":[${a},${b}],"more":[${a}]}`, 2],
    [`{"events":{"a":${a},"b":${b}}}`, 1],
    ['7', 1],
    [`${a}\n${b}`, 2],
    [`${a}\n\n \n${b}\n`, 2],
    [`${a}\nnonsense`, 1],
    [`nonsense\n${a}`, 1],
    ['nonsense', 1],
    [`${a},`, 1],
    ['{}\n{}', 1],
  ])('%s: %i', (text, count) => {
    expect(inBody(text)).toBe(count);
  });
});

it('holds more lists than a call takes arguments', () => {
  const text = `{${Array.from({ length: 130_000 }, (_, at) => `"${at}":[]`).join(',')}}`;
  const arrival = arrivalOf(delivery(0, text));
  expect(eventsIn(arrival!)).toBe(1);
});

describe('one request for each event', () => {
  const twice = (ids: number, everyMs = 100, given: Partial<Delivery> = {}) =>
    Array.from({ length: ids }, (_, id) =>
      [0, 1].map((nth) => delivery((2 * id + nth) * everyMs, sent(id), given)),
    ).flat();
  const once = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => delivery(10_000 + 100 * at, sent(from + at)));
  const said = (deliveries: readonly Delivery[]) => textOf(saidBy(judgeOnePost, deliveries));

  it('is not known of nothing', () => {
    expect(said([])).toBe('inconclusive: no delivery arrived');
    expect(said([delivery(0, sent(1), failed)])).toBe(
      'inconclusive: no event with a message_id was answered 2xx at once',
    );
    expect(said([delivery(0, '{"event":"message.sent","timestamp":1,"data":{}}')])).toContain('inconclusive');
    expect(said([delivery(0, sent(1), { answeredMs: null })])).toContain('inconclusive');
  });

  it('holds where each came once, and where a few came again', () => {
    expect(said(once(0, 3))).toBe('held: 3 events, each alone in its request');
    expect(said([...twice(2), ...once(7, 1)])).toBe('held: 3 events, each alone in its request');
  });

  it('is broken by three that came again, if they are more than half of all', () => {
    expect(said([...twice(3), ...once(7, 2)])).toBe('sent-twice: 3 of 4 events came again after that');
    expect(said([...twice(3), ...once(7, 4)])).toBe('held: 7 events, each alone in its request');
  });

  it('is shown by two deliveries of each', () => {
    const thrice = [0, 1, 2].flatMap((id) =>
      [0, 1, 2].map((nth) => delivery(1_000 * nth + 100 * id, sent(id))),
    );
    const exchanges = [0, 1_000, 100, 1_100, 200, 1_200].map((at) => ({ requestId: `delivery ${at}` }));
    expect(saidBy(judgeOnePost, thrice)).toMatchObject({ evidence: { exchangesTotal: 6, exchanges } });
  });

  it.each<readonly [string, Partial<Delivery>]>([
    ['a 1xx', { status: 199 }],
    ['a 3xx', { status: 300 }],
    ['no answer', { status: null, answeredMs: null }],
    ['an answer that was not handed over', { answeredMs: null }],
  ])('is not broken by what comes again after %s', (_what, given) => {
    expect(said([...twice(3, 100, given), ...once(7, 1)])).not.toContain('sent-twice');
  });

  it('is broken by what comes again after any 2xx', () => {
    for (const status of [200, 299]) expect(said(twice(4, 100, { status }))).toContain('sent-twice');
  });

  it('is not broken where the first answer took more than a second', () => {
    const slow = (tookMs: number) =>
      twice(4, 5_000).map((one) => ({ ...one, answeredMs: one.arrivedMs + tookMs }));
    expect(said(slow(1_000))).toContain('sent-twice');
    expect(said(slow(1_001))).not.toContain('sent-twice');
  });

  it('is open where no later request on the connection shows that an answer was read', () => {
    const alone = twice(4).map((one, connection) => ({ ...one, connection }));
    expect(said(alone)).toBe(
      'inconclusive: 4 events came again after a 2xx, and nothing shows that the sender had read that answer',
    );
    expect(said(twice(3).map((one, connection) => ({ ...one, connection })))).toContain(
      'inconclusive: 3 events',
    );
    const sameMoment = twice(4).map((one) => ({ ...one, answeredMs: originMs + 700 }));
    expect(said(sameMoment)).not.toContain('sent-twice');
    expect(said(twice(2).map((one, connection) => ({ ...one, connection })))).toContain('held: 2 events');
    const some = [...twice(3).slice(0, 5), ...once(7, 1)].map((one, connection) => ({ ...one, connection }));
    expect(said(some)).toBe('held: 4 events, each alone in its request');
  });

  it('counts from the first 2xx: what was refused before has to come again', () => {
    const again = [0, 1, 2, 3].flatMap((id) => [
      delivery(100 * id, sent(id), failed),
      delivery(1_000 + 100 * id, sent(id)),
    ]);
    expect(said(again)).toBe('held: 4 events, each alone in its request');
    const thirdTime = again.flatMap((one) =>
      one.answer === 'ok' ? [one, { ...one, arrivedMs: originMs + 5_000 }] : [one],
    );
    expect(said([...thirdTime, delivery(9_000, sent(9))])).toBe(
      'sent-twice: 4 of 4 events came again after that',
    );
  });

  it('says how many are in the first with several, and quotes each of those', () => {
    const batch = delivery(0, `[${sent(1)},${sent(2)}]`);
    const larger = delivery(2, `[${sent(1)},${sent(2)},${sent(3)}]`);
    const verdict = saidBy(judgeOnePost, [batch, delivery(1, sent(3)), larger]);
    expect(textOf(verdict)).toContain(': 2 events in one request (2 of 3 deliveries)');
    const exchanges = [{ requestId: 'delivery 0' }, { requestId: 'delivery 2' }];
    expect(verdict).toMatchObject({ evidence: { exchanges, exchangesTotal: 2 } });
    expect(said([batch, delivery(1, sent(3))])).toBe(
      'several-events-in-one-post: 2 events in one request (1 of 2 deliveries)',
    );
  });
});

describe('each request', () => {
  it('is a POST', () => {
    expect(textOf(saidBy(judgeMethod, [delivery(0, sent(0)), delivery(1, sent(1), { method: 'GET' })]))).toBe(
      'not-post: GET was used (1 of 2 deliveries)',
    );
    expect(saidBy(judgeMethod, [delivery(0, sent(0), { method: 'PUT' })])).toMatchObject({
      evidence: { expected: 'POST' },
    });
    expect(textOf(saidBy(judgeMethod, [delivery(0, sent(0))]))).toBe('held: 1 delivery');
    expect(textOf(saidBy(judgeMethod, []))).toBe('inconclusive: no delivery arrived');
  });

  it.each([
    ['application/json', 'held: 1 delivery'],
    ['Application/JSON ; charset=utf-8', 'held: 1 delivery'],
    ['application/jsonp', 'content-type-wrong: Content-Type: "application/jsonp" (1 of 1 delivery)'],
  ])('says what it holds: %s', (value, says) => {
    expect(textOf(saidBy(judgeContentType, [withHeaders(['content-TYPE', value])]))).toBe(says);
  });

  it.each([
    ['sha256=0a', 'held: 1 delivery'],
    ['sha256=0a,sha256=0b', 'signature-doubled'],
    ['sha256=0a,  SHA1=0b', 'signature-doubled'],
    ['sha256=0a,b', 'held: 1 delivery'],
    ['SHA256=0a', 'signature-prefix'],
    ['sha256=0a\t', 'signature-space'],
  ])('is signed: %j', (value, says) => {
    expect(textOf(saidBy(judgeSignatureForm, [withHeaders(['x-service-signature', value])]))).toContain(says);
  });

  it('shows one kind of flaw at a time: the first, with all that have it', () => {
    const typed = (at: number, type: string) => delivery(at, sent(at), { headers: [['Content-Type', type]] });
    const verdict = saidBy(judgeContentType, [
      typed(0, 'text/plain'),
      delivery(1, sent(1), { headers: [] }),
      typed(2, 'text/html'),
    ]);
    expect(textOf(verdict)).toBe('content-type-wrong: Content-Type: "text/plain" (2 of 3 deliveries)');
    const exchanges = verdict.kind === 'violated' ? verdict.evidence.exchanges : [];
    expect(exchanges.map(({ requestId }) => requestId)).toEqual(['delivery 0', 'delivery 2']);
    expect(exchanges[0]).toMatchObject({ purpose: 'webhook', scope: 'webhook', body: sent(0) });
  });
});
