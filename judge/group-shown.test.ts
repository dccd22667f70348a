import { expect, test } from 'vitest';
import { caseOf } from './case.ts';
import { groupsShownFirst, ownScenarioOf } from './group-shown.ts';
import { admitted, traceOf } from './testing/traces.ts';

const subject = caseOf(
  traceOf([
    admitted(0, 5, { requestId: 'of-A' }),
    admitted(0, 5, { requestId: 'of-B', key: 'B', scenario: 'nodes' }),
    admitted(0, 5, { requestId: 'of-C', key: 'C' }),
  ]),
);
const keysOf = (shown: readonly string[], scenario: string | null = null) =>
  groupsShownFirst(
    subject,
    subject.trace.exchanges.filter(({ requestId }) => shown.includes(requestId)),
    scenario,
  ).map(({ key }) => key);

test('a violation may be about any group, first about that of which it shows requests', () => {
  expect(keysOf(['of-C'])).toEqual(['C', 'A', 'B']);
  expect(keysOf(['of-B', 'of-C'])).toEqual(['B', 'C', 'A']);
  expect(keysOf([])).toEqual(['A', 'B', 'C']);
});

test('one of a load scenario that is judged by itself is about what that one sent', () => {
  expect(keysOf(['of-B'], ownScenarioOf('load.nodes'))).toEqual(['B']);
  expect(ownScenarioOf('load.sustained')).toBeNull();
});

test('it is not about a group whose requests are not those that are quoted', () => {
  const quoted = { requestId: 'of nobody', key: 'C', scope: 'media' };
  expect(groupsShownFirst(subject, [quoted], null).map(({ key }) => key)).toEqual(['A', 'B', 'C']);
});

test('ids are read in the groups alone of whose key and scope a request is quoted', () => {
  const read: string[] = [];
  const watched = caseOf(
    traceOf(
      ['A', 'B'].flatMap((key) =>
        (['media', 'messages'] as const).map((scope) => admitted(0, 5, { key, scope })),
      ),
    ),
  );
  for (const { group } of watched.analyses)
    for (const { exchange } of group.entries)
      Object.defineProperty(exchange, 'requestId', {
        get: () => {
          read.push(`${group.key} ${group.scope}`);
          return 'an id';
        },
      });
  groupsShownFirst(watched, [{ requestId: 'an id', key: 'B', scope: 'media' }], null);
  expect(read).toEqual(['B media']);
});
