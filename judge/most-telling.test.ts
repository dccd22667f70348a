import { expect, test } from 'vitest';
import { groupsOf } from './entries.ts';
import { mostTelling } from './most-telling.ts';
import { admitted, limited, times, traceOf } from './testing/traces.ts';

const refused = (key: string, scope: string, count: number) => [
  admitted(0, 5, { key, scope }),
  ...times(count, (n) => limited(100 + n, 105 + n, { key, scope })),
];

const named = (groups: ReturnType<typeof groupsOf>) => groups.map(({ scope, key }) => `${scope} ${key}`);

test('what most was refused of tells most, each scope in its turn, in the order of the groups', () => {
  const groups = groupsOf(
    traceOf([
      ...Array.from({ length: 5 }, (_, n) => refused(`M${n}`, 'messages', 10 + n)).flat(),
      ...Array.from({ length: 3 }, (_, n) => refused(`S${n}`, 'standard', 3 - n)).flat(),
    ]),
  );
  expect(named(mostTelling(groups, 3))).toEqual(['messages M3', 'messages M4', 'standard S0']);
  expect(named(mostTelling(groups, 4))).toEqual(['messages M3', 'messages M4', 'standard S0', 'standard S1']);
  expect(mostTelling(groups, 8)).toEqual(groups);
});

test('what a verdict rests on tells more than anything, and what the load suite alone sent less', () => {
  const groups = groupsOf(
    traceOf([
      ...Array.from({ length: 3 }, (_, n) => refused(`K${n}`, 'media', 3 - n)).flat(),
      ...times(9, (n) => limited(500 + n, 505 + n, { key: 'L', driver: 'k6' })),
    ]),
  );
  expect(named(mostTelling(groups, 2))).toEqual(['media K0', 'media K1']);
  const asked = [{ key: 'K2', scope: 'media' }];
  expect(named(mostTelling(groups, 2, asked))).toEqual(['media K0', 'media K2']);
});
