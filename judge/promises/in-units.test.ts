import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import { type Entry, type Group, groupsOf } from '../entries.ts';
import { admitted, indeterminate, limited, traceOf } from '../testing/traces.ts';
import { eachOnce, fillingIn, inUnits, limitText, requestsText, spareText } from './in-units.ts';

function groupOf(exchanges: readonly Exchange[]): Group {
  const [group] = groupsOf(traceOf(exchanges, { limits: { media: 10 } }));
  if (group === undefined) throw new Error('no group');
  return group;
}

const dear = admitted(1_000, 1_010, { cost: 3 });
const cheap = admitted(2_000, 2_010);
const unknown = indeterminate(3_000, { cost: 2 });
const refused = limited(4_000, 4_010, { cost: 2 });
// Anew for each test: what is found of a group is remembered.
const mixedGroup = () => groupOf([dear, cheap, unknown, refused]);
const plainGroup = () => groupOf([cheap, limited(5_000, 5_010)]);

const idsOf = (entries: readonly Entry[]) => entries.map(({ exchange }) => exchange.requestId);
const timesOf = (exchange: Exchange, count: number) =>
  Array.from({ length: count }, () => exchange.requestId);

describe('a group in units', () => {
  it('has each request as often as it costs, in its place, and each 429 once', () => {
    const mixed = mixedGroup();
    const { entries, admitted: passed, mayCount, explaining, limited: turnedAway } = inUnits(mixed);
    const mayTake = [...timesOf(dear, 3), ...timesOf(cheap, 1), ...timesOf(unknown, 2)];
    expect(idsOf(entries)).toEqual([...mayTake, ...timesOf(refused, 2)]);
    expect(idsOf(passed)).toEqual(mayTake.slice(0, 4));
    expect(idsOf(mayCount)).toEqual(mayTake);
    expect(explaining).toBe(entries);
    expect(idsOf(turnedAway)).toEqual(timesOf(refused, 1));
  });

  it('has objects of their own, the same in each list, of which the first is the request itself', () => {
    const mixed = mixedGroup();
    const { entries, admitted: passed } = inUnits(mixed);
    expect(new Set(entries).size).toBe(entries.length);
    expect(entries[0]).toBe(mixed.entries[0]);
    expect(passed.every((one, at) => one === entries[at])).toBe(true);
  });

  it('keeps apart what explains alone', () => {
    const mixed = mixedGroup();
    const plain = plainGroup();
    const { entries, explaining } = inUnits({ ...mixed, explaining: [...mixed.entries, ...plain.entries] });
    expect(explaining.slice(0, entries.length)).toEqual(entries);
    expect(explaining).toHaveLength(entries.length + plain.entries.length);
  });

  it('is the group as it is where each request costs 1', () => {
    const plain = plainGroup();
    expect(inUnits(plain)).toBe(plain);
  });

  it('is told in units and requests', () => {
    const mixed = mixedGroup();
    const plain = plainGroup();
    const { entries } = inUnits(mixed);
    expect([limitText(mixed), limitText(plain)]).toEqual(['10 units', '10 requests']);
    expect(limitText({ ...plain, limit: 1 })).toBe('1 request');
    expect(requestsText(entries, mixed)).toBe('8 units (4 requests)');
    expect(requestsText(plain.entries, plain)).toBe('2');
    expect(idsOf(eachOnce(entries))).toEqual(
      [dear, cheap, unknown, refused].map(({ requestId }) => requestId),
    );
  });

  it('is filled by whatever a window may count: a 429 too, where it costs more than others', () => {
    const mixed = mixedGroup();
    const fills = fillingIn(mixed);
    expect(mixed.entries.map((entry) => fills(entry))).toEqual([true, true, true, true]);
    const alike = groupOf([admitted(1_000, 1_010, { cost: 2 }), refused]);
    expect(alike.entries.map(fillingIn(alike))).toEqual([true, false]);
  });

  it('says what a key has to have spared', () => {
    const mixed = mixedGroup();
    const plain = plainGroup();
    const [first] = mixed.limited;
    const [second] = plain.limited;
    if (first === undefined || second === undefined) throw new Error('no 429');
    expect(spareText(first, 10)).toBe('its key has used at most 8 of 10 units');
    expect(spareText(second, 10)).toBe('its key has made fewer than 10');
  });
});
