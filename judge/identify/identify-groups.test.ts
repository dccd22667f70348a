import { expect, it } from 'vitest';
import { groupsOf } from '../entries.ts';
import { admitted, limited, times, traceOf } from '../testing/traces.ts';
import { identifyGroups, probedGroups } from './identify-groups.ts';

const probed = (exchanges: Parameters<typeof traceOf>[0]) => probedGroups(groupsOf(traceOf(exchanges)));

it('a group is asked that was filled, and not by the load suite', () => {
  const filled = (key: string, more = {}) => [admitted(0, 5, { key, ...more }), limited(10, 15, { key })];
  const found = probed([
    ...filled('A'),
    admitted(0, 5, { key: 'B' }),
    ...filled('C', { driver: 'k6' }),
    ...filled('D').map((one) => ({ ...one, driver: 'k6' as const })),
  ]);
  expect(
    found.map(({ key, scope, limit, windowMs, exchanges }) => [
      key,
      scope,
      limit,
      windowMs,
      exchanges.length,
    ]),
  ).toEqual([['A', 'media', 30, 60_000, 2]]);
});

it('a key that was in use is asked from when it was idle', () => {
  const of = (purposes: readonly string[]) =>
    probed(purposes.map((purpose, n) => limited(n, n, { purpose })))[0]?.exchanges.map(
      ({ purpose }) => purpose,
    );
  expect(of(['fill', 'probe'])).toEqual(['fill', 'probe']);
  expect(of(['preflight', 'fill', 'preflight', 'fill', 'probe'])).toEqual(['preflight', 'fill', 'probe']);
});

it('each is identified by itself, with the document’s limit and window as a guess', () => {
  const sent = ['A', 'B'].flatMap((key) => [
    ...times(34, (n) => (n < 30 ? admitted : limited)(n, n + 1, { key })),
    admitted(61_000, 61_001, { key }),
  ]);
  expect(identifyGroups(groupsOf(traceOf(sent)))).toMatchObject([
    { key: 'A', scope: 'media', limit: 30, requests: 35, windowSeconds: { value: 60 } },
    { key: 'B', scope: 'media', limit: 30, requests: 35, windowSeconds: { value: 60 } },
  ]);
});
