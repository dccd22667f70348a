import { describe, expect, it, test } from 'vitest';
import { settledAfterMs } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import { ExchangeStore } from '../contract/exchange-store.ts';
import { entryOf, type Group, groupsOf, isProbed, mergedEntries, plainEntry, togetherOf } from './entries.ts';
import {
  admitted,
  type Given,
  indeterminate,
  limited,
  originMs,
  type Setting,
  traceOf,
} from './testing/traces.ts';

/** Of the one group that there is. */
function groupOf(exchanges: readonly Exchange[], setting: Setting = {}): Group {
  const [group, ...others] = groupsOf(traceOf(exchanges, setting));
  if (group === undefined || others.length > 0) throw new Error('not one group');
  return group;
}

const idsOf = (entries: Group['entries']): readonly string[] =>
  entries.map(({ exchange }) => exchange.requestId);
const named = (requestId: string, given: Given = {}): Given => ({ requestId, ...given });
const keyless: Given = { key: null, credential: 'absent', status: 401, outcome: 'refused' };

describe('the groups of a trace', () => {
  it('are what each key did in each scope, in the order of their first requests', () => {
    const groups = groupsOf(
      traceOf([
        admitted(0, 5, { key: 'B' }),
        admitted(1, 5),
        admitted(2, 5, { key: 'B', scope: 'messages' }),
        limited(3, 5, { key: 'B' }),
        admitted(4, 5, { key: 'B', credential: 'unknown' }),
        admitted(4, 5, { key: null }),
      ]),
    );
    expect(groups.map(({ key, scope, limit, entries }) => [key, scope, limit, entries.length])).toEqual([
      ['B', 'media', 30, 2],
      ['A', 'media', 30, 1],
      ['B', 'messages', 300, 1],
    ]);
  });

  it('hold requests as they were sent, by what became of them', () => {
    const group = groupOf([
      limited(20, 25, named('limited')),
      admitted(10, 15, named('second', { index: 2 })),
      admitted(10, 12, named('first', { index: 1 })),
      admitted(30, 35, named('refused', { status: 404, outcome: 'refused' })),
      indeterminate(5, named('lost')),
    ]);
    expect(idsOf(group.entries)).toEqual(['lost', 'first', 'second', 'limited', 'refused']);
    expect(idsOf(group.admitted)).toEqual(['first', 'second']);
    expect(idsOf(group.limited)).toEqual(['limited']);
    expect(idsOf(group.mayCount)).toEqual(['lost', 'first', 'second', 'refused']);
    expect(group.settledMs).toBe(originMs + 5 + settledAfterMs(60_000));
  });

  it('explain a 429 by requests without a key too, to the same scope', () => {
    const first = admitted(0, 5, named('first'));
    const beside = [
      admitted(10, 15, named('same', { ...keyless, status: 200, outcome: 'admitted' })),
      admitted(11, 15, named('other', { ...keyless, scope: 'messages' })),
    ];
    const group = groupOf([first, ...beside, limited(20, 25, named('limited'))]);
    expect(idsOf(group.explaining)).toEqual(['first', 'same', 'limited']);
    expect(group.explaining[1]?.exchange.outcome).toBe('refused');
    expect(idsOf(group.entries)).toEqual(['first', 'limited']);
    expect(idsOf(groupOf([first, ...beside]).explaining)).toEqual(['first']);
  });

  it('hold twice what Go may have sent twice, once with nothing known of its answer', () => {
    const get = named('get', { driver: 'k6', method: 'GET', body: 'x' });
    const [known, again, ...others] = groupOf([admitted(0, 5, get)]).entries;
    expect(others).toEqual([]);
    expect(known).toEqual({
      exchange: expect.objectContaining({ outcome: 'admitted' }),
      lowMs: originMs,
      highMs: originMs + 5,
    });
    expect(again).toMatchObject({
      exchange: {
        requestId: 'get',
        outcome: 'indeterminate',
        status: null,
        body: null,
        headers: { limit: null, remaining: null, reset: null },
      },
      lowMs: originMs,
      highMs: originMs + 5,
      isAgain: true,
    });
  });

  it('begin, by the clock of their first request, as late as that may be', () => {
    const clocks = [
      { id: 'simulation', kind: 'monotonic', offsetMsMax: 0 },
      { id: 'other', kind: 'monotonic', offsetMsMax: 40 },
    ] as const;
    const exchanges = [admitted(0, 5, { clock: 'other' }), admitted(100, 105)];
    const { settledMs, entries } = groupOf(exchanges, { clocks: [...clocks] });
    expect(settledMs).toBe(originMs + 40 + settledAfterMs(60_000));
    expect(entries.map(({ lowMs, highMs }) => [lowMs - originMs, highMs - originMs])).toEqual([
      [-40, 45],
      [100, 105],
    ]);
  });

  test('may be laid together, in the order in which all was sent', () => {
    const groups = groupsOf(
      traceOf([
        admitted(0, 5, named('a')),
        admitted(20, 25, named('c')),
        admitted(10, 15, named('b', { key: 'B' })),
      ]),
    );
    expect(idsOf(mergedEntries(groups))).toEqual(['a', 'b', 'c']);
    const together = togetherOf(groups as [Group, ...Group[]]);
    expect(idsOf(together.admitted)).toEqual(['a', 'b', 'c']);
    expect(together.key).toBe('A+B');
    expect(together.settledMs).toBe(groups[0]?.settledMs);
    expect(together.settledMs).toBeLessThan(groups[1]?.settledMs ?? 0);
    expect(together.explaining).toBe(together.entries);
  });

  test('laid together, explain a 429 by what explains it in any of them, once', () => {
    const groups = groupsOf(
      traceOf([
        admitted(0, 5, named('a')),
        admitted(40, 45, named('late')),
        admitted(10, 15, named('without', keyless)),
        limited(20, 25, named('refused', { key: 'B' })),
        limited(30, 35, named('refused-too', { key: 'C' })),
      ]),
    );
    const { entries, explaining } = togetherOf(groups as [Group, ...Group[]]);
    expect(idsOf(entries)).toEqual(['a', 'refused', 'refused-too', 'late']);
    expect(idsOf(explaining)).toEqual(['a', 'without', 'refused', 'refused-too', 'late']);
  });
});

describe('the interval in which a request was counted', () => {
  test.each([
    ['ends with its answer', admitted(0, 5), [0, 5]],
    ['has no end without one', indeterminate(0), [0, Number.POSITIVE_INFINITY]],
    ['is turned where a clock was set back meanwhile', admitted(5, 0), [0, 5]],
  ] as const)('%s', (_what, exchange, [low, high]) => {
    expect(entryOf(exchange, 0)).toEqual({ exchange, lowMs: originMs + low, highMs: originMs + high });
    expect(entryOf(exchange, 3)).toEqual({
      exchange,
      lowMs: originMs + low - 3,
      highMs: originMs + high + 3,
    });
  });
});

describe('the entry of a stored exchange', () => {
  const sent = [admitted(0, 5), indeterminate(10), admitted(20, 15), admitted(30, 30)];
  const store = new ExchangeStore();
  for (const exchange of sent) store.add(exchange, 1);

  it.each([0, 7])('has the interval of any other, widened by %d ms', (wideningMs) => {
    const span = ({ lowMs, highMs }: { readonly lowMs: number; readonly highMs: number }) => [lowMs, highMs];
    const stored = store.toArray().map((exchange) => entryOf(exchange, wideningMs));
    const plain = sent.map((exchange) => entryOf(exchange, wideningMs));
    expect(stored.map(span)).toEqual(plain.map(span));
    expect(stored.map(({ exchange }) => exchange)).toEqual(store.toArray());
  });

  it('is copied with all that an entry has', () => {
    const [first] = store.toArray();
    const copy = { ...plainEntry(entryOf(first as Exchange, 0)) };
    expect(copy).toStrictEqual({ exchange: first, lowMs: originMs, highMs: originMs + 5 });
    const again = { ...copy, isAgain: true } as const;
    expect(plainEntry(again)).toStrictEqual(again);
  });
});

describe('a group is probed', () => {
  const sentBy = (...drivers: readonly NonNullable<Given['driver']>[]) =>
    isProbed(groupsOf(traceOf(drivers.map((driver, at) => admitted(at, at + 5, { driver }))))[0]!);

  it('where anything but k6 sent to it', () => {
    expect(sentBy('k6', 'k6')).toBe(false);
    expect(sentBy('k6', 'undici')).toBe(true);
    expect(sentBy('undici')).toBe(true);
  });
});
