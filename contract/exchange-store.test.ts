import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Exchange } from './exchange.ts';
import { ExchangeStore, plainExchange, withClocksNamed } from './exchange-store.ts';

const least: Exchange = {
  ...({ kind: 'exchange', index: 0, driver: 'undici', clock: 'c', scope: 'media', route: 'main' } as const),
  ...({
    key: 'A',
    credential: 'valid',
    node: 0,
    purpose: 'fill',
    requestId: 'a',
    method: 'GET',
    path: '/',
  } as const),
  ...{ sentMs: 1, receivedMs: 2, wallSentMs: null, wallReceivedMs: null, status: 200 },
  headers: { limit: '1', remaining: '0', reset: '2' },
  ...({
    retryAfter: null,
    date: null,
    contentType: null,
    body: null,
    failure: null,
    outcome: 'admitted',
  } as const),
};

it('each of many requests is found by its id, and no other one', () => {
  const store = new ExchangeStore();
  const count = 9_000;
  const idOf = (at: number): string => `${['a', 'b-', ''][at % 3]}${Math.floor(at / 3)}`;
  for (let at = 0; at < count; at += 1) {
    expect(store.find(idOf(at))).toBe(-1);
    expect(store.add({ ...least, requestId: idOf(at), index: at }, 10 + at)).toBe(at);
  }
  for (let at = 0; at < count; at += 1) {
    const found = store.find(idOf(at));
    expect([found, store.lineOf(found), store.exchangeAt(found).requestId]).toEqual([at, 10 + at, idOf(at)]);
  }
  for (const unknown of ['', 'c1', 'a', 'a00', `a${count}`, '-1']) expect(store.find(unknown)).toBe(-1);
});

it('requests whose ids end in the same number are told apart', () => {
  const store = new ExchangeStore();
  const ids = Array.from({ length: 2_000 }, (_, at) => `${at}-7`);
  for (const requestId of ids) store.add({ ...least, requestId }, 1);
  expect(ids.map((id) => store.find(id))).toEqual(ids.map((_, at) => at));
  for (const id of ids) expect(store.find(`x${id}`)).toBe(-1);
});

it('what was announced is known of each request', () => {
  const store = new ExchangeStore();
  const all = Array.from({ length: 5_000 }, (_, at) => store.add({ ...least, requestId: `a${at}` }, at));
  const announced = all.filter((at) => at % 7 === 3);
  for (const at of announced) store.announce(at);
  expect(all.filter((at) => store.isAnnounced(at))).toEqual(announced);
});

it('a copy has the fields that the exchange had, and no others', () => {
  const more = { scenario: 's', sentOnce: true, latencyMs: 1.5, server: 'x', bodyState: 'whole' } as const;
  for (const extra of [{}, ...Object.entries(more).map(([name, value]) => ({ [name]: value })), more]) {
    const store = new ExchangeStore();
    const at = store.add({ ...least, ...extra }, 1);
    const copy = plainExchange(store.exchangeAt(at));
    expect(Object.keys(copy).toSorted()).toEqual(Object.keys({ ...least, ...extra }).toSorted());
    expect(copy).toEqual({ ...least, ...extra });
  }
});

it('what two exchanges do not have in common is kept apart', () => {
  const store = new ExchangeStore();
  const texts = ['', '1', '1:', ';', ';;', 'null', '2:1;', 'aa'];
  // Many that are alike at a glance, and texts that would be the same if they were only joined.
  const all = texts.flatMap((purpose) =>
    texts.flatMap((method) => ['x', 'y'].map((path) => ({ ...least, purpose, method, path }))),
  );
  for (const [at, one] of all.entries()) store.add({ ...one, requestId: `a${at}` }, at);
  expect(store.toArray().map((one) => ({ ...plainExchange(one), requestId: 'a' }))).toEqual(all);
});

/** More than one chunk of columns. */
const countMost = 4_200;

it('wall clocks that say the same, something else, or nothing, and any index, are given back as they were', () => {
  const wall = fc.constantFrom('same', 'none', 'other');
  const row = fc.record({ sent: wall, received: wall, index: fc.constantFrom(0, 2 ** 32 - 1, 2 ** 32) });
  const kinds = fc.array(row, { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(kinds, fc.constantFrom(1, 4_095, 4_096), (some, each) => {
      const wallMs = (kind: string, ms: number): number | null =>
        kind === 'none' ? null : ms + (kind === 'same' ? 0 : 0.5);
      const store = new ExchangeStore();
      const all = Array.from({ length: Math.min(countMost, some.length * each) }, (_, at) => {
        const { sent, received, index } = some[Math.floor(at / each)] as (typeof some)[number];
        const walls = { wallSentMs: wallMs(sent, at), wallReceivedMs: wallMs(received, at + 1) };
        return { ...least, ...walls, index, requestId: `a${at}`, sentMs: at, receivedMs: at + 1 };
      });
      for (const one of all) store.add(one, 1);
      expect(store.toArray().map((one) => plainExchange(one))).toEqual(all);
    }),
    { numRuns: 20 },
  );
});

it('more texts than two bytes can count are kept apart', () => {
  const store = new ExchangeStore();
  const count = 66_000;
  const at = (n: number): Exchange => ({ ...least, requestId: `a${n}`, date: `d${n}`, body: `b${n % 9}` });
  for (let n = 0; n < count; n += 1) store.add(at(n), 1);
  const asked = [0, 1, 40_958, 40_960, 65_534, 65_535, 65_536, count - 1];
  expect(asked.map((n) => plainExchange(store.exchangeAt(n)))).toEqual(asked.map(at));
});

it('more that exchanges have in common than two bytes can count is kept apart', () => {
  const store = new ExchangeStore();
  const count = 66_000;
  const at = (n: number): Exchange => ({ ...least, requestId: `a${n}`, failure: `f${n}` });
  for (let n = 0; n < count; n += 1) store.add(at(n), 1);
  const asked = [0, 65_535, 65_536, count - 1];
  expect(asked.map((n) => plainExchange(store.exchangeAt(n)))).toEqual(asked.map(at));
});

it('clocks under other names change nothing else, of exchanges that are stored and of others', () => {
  const store = new ExchangeStore();
  const all = Array.from({ length: countMost }, (_, at): Exchange => {
    const clock = at % 3 === 0 ? 'c' : 'k6';
    return { ...least, index: at, requestId: `a${at}`, clock, failure: at % 5 === 0 ? 'reset' : null };
  });
  for (const one of all) store.add(one, 1);
  const stored = store.toArray();
  const named = all.map((one) => ({ ...one, clock: `${one.clock}#2` }));
  let asked = 0;
  const nameOf = (clock: string): string => {
    asked += 1;
    return `${clock}#2`;
  };
  expect(withClocksNamed(stored, nameOf).map(plainExchange)).toEqual(named);
  // Two clocks, each with and without a failure: a name for each exchange would be a copy of each.
  expect(asked).toBe(4);
  expect(withClocksNamed(all, nameOf)).toEqual(named);
  expect(stored.map(plainExchange)).toEqual(all);
});
