import { expect, it } from 'vitest';
import { plausibleUnits } from './epoch-units.ts';
import { delivery, eventText, originMs, saidBy, textOf } from './testing/deliveries.ts';
import { judgeTimestampUnit } from './timestamps.ts';

const perUnit = [
  ['seconds', 1e-3],
  ['milliseconds', 1],
  ['microseconds', 1e3],
  ['nanoseconds', 1e6],
] as const;

it.each(perUnit)('a time in %s is one of the year before its arrival', (name, perMs) => {
  const unitsAt = (ageMs: number) =>
    plausibleUnits((originMs - ageMs) * perMs, originMs).map((unit) => unit.name);
  const yearMs = 366 * 86_400_000;
  expect([0, yearMs, -300_000].map(unitsAt)).toEqual([[name], [name], [name]]);
  expect([yearMs + 10, -300_010].map(unitsAt)).toEqual([[], []]);
});

it('names each unit that came, and how often', () => {
  const at = (timestamp: unknown) =>
    delivery(0, JSON.stringify({ ...JSON.parse(eventText('message.sent', 'msg_1')), timestamp }));
  const all = [originMs, originMs / 1_000, originMs + 1, 7, String(originMs)].map(at);
  expect(textOf(saidBy(judgeTimestampUnit, all))).toBe('milliseconds (2), seconds (1)');
  expect(textOf(saidBy(judgeTimestampUnit, [at(7)]))).toBe('inconclusive: no plausible timestamp arrived');
});
