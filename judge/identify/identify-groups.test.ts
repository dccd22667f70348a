import { expect, it } from 'vitest';
import { type Group, groupsOf, togetherOf } from '../entries.ts';
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

it('what the load suite sent is left out, and nothing is asked where it did not wait for the probes', () => {
  const after = (ms: number) =>
    probed([
      admitted(0, 5),
      limited(10, 15),
      ...[admitted, limited].map((answer) => answer(ms, ms + 5, { driver: 'k6' })),
    ]).map(({ exchanges }) => exchanges.map(({ driver }) => driver));
  expect(after(16)).toEqual([['simulation', 'simulation']]);
  expect(after(15)).toEqual([]);
  expect(probed([admitted(0, 5), limited(10, 15, { driver: 'k6' })])).toEqual([]);
});

it('a key that was in use is asked from when it was idle', () => {
  const of = (purposes: readonly string[]) =>
    probed(purposes.map((purpose, n) => limited(n, n, { purpose })))[0]?.exchanges.map(
      ({ purpose }) => purpose,
    );
  expect(of(['fill', 'probe'])).toEqual(['fill', 'probe']);
  expect(of(['preflight', 'fill', 'preflight', 'fill', 'probe'])).toEqual(['preflight', 'fill', 'probe']);
});

it('keys that share a window are asked from when the first of them was idle', () => {
  const purposes = ['preflight', 'fill', 'preflight', 'fill'];
  const sent = purposes.flatMap((purpose, n) => [
    admitted(10 * n, 10 * n, { purpose }),
    limited(10 * n + 1, 10 * n + 1, { purpose, key: 'B' }),
  ]);
  const [one, other] = groupsOf(traceOf(sent)) as [Group, Group];
  const [found] = probedGroups([togetherOf([one, other])]);
  expect(found?.exchanges.map(({ key, purpose }) => [key, purpose])).toEqual([
    ['A', 'preflight'],
    ['B', 'preflight'],
    ['A', 'fill'],
    ['B', 'fill'],
  ]);
});

it('a request without a valid key that was served may have counted, and one that was not did not', () => {
  const without = { key: null, credential: 'absent' as const };
  const found = probed([
    admitted(0, 0, without),
    admitted(1, 1, { purpose: 'preflight' }),
    admitted(2, 2, without),
    admitted(3, 3, { ...without, scope: 'messages' }),
    admitted(4, 4, { ...without, status: 300 }),
    admitted(5, 5, { ...without, status: 401 }),
    limited(6, 6),
  ]);
  expect(found[0]?.exchanges.map(({ outcome, status }) => [outcome, status])).toEqual([
    ['admitted', 200],
    ['refused', 200],
    ['limited', 429],
  ]);
});

it('each is identified by itself, with the document’s limit and window as a guess', () => {
  const sent = [
    ...times(4, (n) => (n < 3 ? admitted : limited)(n, n + 1)),
    limited(9_900, 9_901),
    ...times(4, (n) => (n < 3 ? admitted : limited)(10_100 + n, 10_101 + n)),
    admitted(0, 1, { key: 'B' }),
  ];
  const setting = { windowMs: 10_000, limits: { standard: 1, messages: 1, media: 3 } };
  expect(identifyGroups(groupsOf(traceOf(sent, setting)))).toMatchObject([
    { key: 'A', scope: 'media', limit: 3, requests: 9, windowSeconds: { value: 10 } },
  ]);
});

it('a request stands as often as it takes units, and a dear one that was refused may have counted', () => {
  const [found] = probed([
    { ...admitted(0, 5), cost: 3 },
    admitted(10, 15),
    { ...limited(20, 25), cost: 2 },
    limited(30, 35),
  ]);
  expect(
    found?.exchanges.map(({ sentMs, outcome }) => [sentMs - (found.exchanges[0]?.sentMs ?? 0), outcome]),
  ).toEqual([
    [0, 'admitted'],
    [0, 'admitted'],
    [0, 'admitted'],
    [10, 'admitted'],
    [20, 'refused'],
    [20, 'refused'],
    [30, 'limited'],
  ]);
});
