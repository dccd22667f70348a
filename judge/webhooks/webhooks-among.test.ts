import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import { judgeWebhooks } from './judge-webhooks.ts';
import { delivery, eventText, testSecret, traceOf } from './testing/deliveries.ts';
import { otherRequests, type ReceivedRequest, survey } from './webhooks-among.ts';

const knowledge = { secrets: [testSecret], meanwhile: null };

const nine = Array.from({ length: 9 }, (_, at) => delivery(at, eventText('message.received', `msg_${at}`)));

/** A request without any mark of a webhook. */
const stray = (method: string, path: string, text = '', type = 'text/plain'): Delivery =>
  delivery(100, text, { method, path, headers: [['Content-Type', type]] });

/** What reaches an address that anybody can reach. */
const strays: readonly (readonly [what: string, one: Delivery])[] = [
  ['a browser’s look for an icon', stray('GET', '/favicon.ico')],
  ['a HEAD', stray('HEAD', '/hooks')],
  ['an OPTIONS', stray('OPTIONS', '/hooks')],
  ['a challenge', stray('GET', '/hooks?hub.mode=subscribe&hub.challenge=7&hub.verify_token=x')],
  ['a scanner', stray('POST', '/wp-login.php', 'log=admin&pwd=x', 'application/x-www-form-urlencoded')],
  ['a scanner with JSON', stray('POST', '/hooks', '{"jsonrpc":"2.0","data":1}', 'application/json')],
  ['a scanner with a list', stray('POST', '/hooks', '[1,null,{"id":1}]', 'application/json')],
  ['a scanner with nothing', stray('POST', '/hooks', 'null', 'application/json')],
  ['a webhook of somebody else', stray('POST', '/hooks', '{"event":"push"}', 'application/json')],
  ['a probe that broke off', { ...stray('POST', '/hooks', '{"event"'), completeMs: null }],
];

describe('a request that is no webhook', () => {
  it.each(strays)('%s among nine webhooks is listed, and judged by nothing', (_what, one) => {
    const { judgements, others, deliveries } = judgeWebhooks(traceOf([...nine, one]), knowledge);
    expect(judgements.filter(({ verdict }) => verdict.kind === 'violated')).toEqual([]);
    expect(deliveries.total).toBe(9);
    const listed = [{ method: one.method, path: one.path.split('?')[0], count: 1 }];
    expect(others).toEqual({ total: 1, marked: 0, listed });
  });

  it('leaves everything open where nothing else came', () => {
    const { judgements, path } = judgeWebhooks(traceOf(strays.map(([, one]) => one)), knowledge);
    expect(new Set(judgements.map(({ verdict }) => verdict.kind))).toEqual(new Set(['inconclusive']));
    expect(path).toBeNull();
  });
});

describe('the path that is judged', () => {
  const at = (path: string, count: number, change: Partial<Delivery> = {}): readonly Delivery[] =>
    Array.from({ length: count }, (_, index) =>
      delivery(index, eventText('message.read', `msg_${path}${index}`), { path, ...change }),
    );
  const unsigned: Partial<Delivery> = { headers: [['Content-Type', 'application/json']] };
  const pathOf = (deliveries: readonly Delivery[], named?: string): string | null => {
    const trace = traceOf(deliveries);
    const header = named === undefined ? trace.header : { ...trace.header, path: named };
    return judgeWebhooks({ ...trace, header }, knowledge).path;
  };

  it('is the one that most signed envelopes came to, in whatever order, and whatever its query', () => {
    expect(pathOf([...at('/a', 2), ...at('/b', 3)])).toBe('/b');
    expect(pathOf([...at('/b', 3), ...at('/a', 2)])).toBe('/b');
    expect(pathOf([...at('/a?n=1', 1), ...at('/a?n=2', 1), ...at('/b', 1)])).toBe('/a');
    expect(pathOf([...at('/a', 5, unsigned), ...at('/b', 1)])).toBe('/b');
    expect(pathOf([...at('/b', 2), ...at('/a', 2)])).toBe('/b');
    const noEnvelopes = [10, 11, 12].map((atMs) => delivery(atMs, 'no envelope', { path: '/a' }));
    expect(pathOf([...noEnvelopes, ...at('/b', 1)])).toBe('/b');
  });

  it('is the one that most with a mark came to, where nothing is signed', () => {
    expect(pathOf([stray('GET', '/x'), stray('GET', '/x'), ...at('/b', 1, unsigned)])).toBe('/b');
  });

  it('is the one that was named', () => {
    expect(pathOf([...at('/a', 1), ...at('/b', 3)], '/a')).toBe('/a');
    expect(pathOf(at('/b', 3), '/a')).toBeNull();
  });

  it('leaves webhooks of another path unjudged, and says that they look like some', () => {
    const bad = delivery(50, eventText('message.read', '1'), { path: '/old' });
    const { judgements, others } = judgeWebhooks(traceOf([...nine, bad]), knowledge);
    expect(judgements.filter(({ verdict }) => verdict.kind === 'violated')).toEqual([]);
    expect(others).toEqual({ total: 1, marked: 1, listed: [{ method: 'POST', path: '/old', count: 1 }] });
  });
});

describe('one mark is enough to be judged', () => {
  const [type] = [['Content-Type', 'application/json'] as [string, string]];
  it.each([
    ['the signature’s header', delivery(0, 'nothing like it')],
    ['an event', delivery(0, '{"event":"message.sent"}', { headers: [type] })],
    ['two fields of the envelope', delivery(0, '{"timestamp":1,"data":{}}', { headers: [type] })],
    ['its event and its time', delivery(0, '{"event":"a","timestamp":1}', { headers: [type] })],
    ['its event and its data', delivery(0, '{"event":"a","data":{}}', { headers: [type] })],
    ['several events', delivery(0, `[${eventText('message.sent', 'msg_1')}]`, { headers: [type] })],
    [
      'events in a field',
      delivery(0, `{"events":[${eventText('message.sent', 'msg_1')}]}`, { headers: [type] }),
    ],
    ['an event that is no JSON', delivery(0, '{event: "message.sent"}', { headers: [type] })],
  ])('%s', (_what, one) => {
    expect(judgeWebhooks(traceOf([one]), knowledge).deliveries.total).toBe(1);
  });
});

describe('requests of others', () => {
  const strayTo = (pathname: string): ReceivedRequest => ({
    ...{ delivery: stray('GET', pathname), pathname, arrival: null, isMarked: false },
  });

  it('are listed by how often they came, twenty kinds at most, and all counted', () => {
    const others = otherRequests();
    for (let at = 0; at < 25; at += 1)
      for (let time = 0; time <= at; time += 1) others.add(strayTo(`/${at}`));
    const { total, marked, listed } = others.found();
    expect([total, marked]).toEqual([325, 0]);
    expect(listed.map(({ path, count }) => [path, count])).toEqual(
      Array.from({ length: 20 }, (_, at) => [`/${24 - at}`, 25 - at]),
    );
  });

  it('do not fill the memory by paths that senders invent', () => {
    const [others, found] = [otherRequests(), survey(undefined)];
    const one = strayTo('/');
    const add = (pathname: string): void => {
      others.add({ ...one, pathname });
      found.add({ ...one, pathname, isMarked: true });
    };
    for (let at = 0; at < 100_000; at += 1) add(`/${at}`);
    for (const pathname of ['/late', '/late', '/late', '/7', '/7', '/8']) add(pathname);
    expect(others.found().listed.slice(0, 2)).toEqual([
      { method: 'GET', path: '/7', count: 3 },
      { method: 'GET', path: '/8', count: 2 },
    ]);
    expect(others.found().total).toBe(100_006);
    expect(found.path()).toBe('/7');
  });
});
