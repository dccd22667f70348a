import { expect, test } from 'vitest';
import type { ClauseId } from '../contract/clauses/registry.ts';
import type { Exchange } from '../contract/exchange.ts';
import { admitted, limited, times, traceOf } from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

function reasonOf(exchanges: readonly Exchange[], clause: ClauseId = 'limits.media'): string {
  const verdict = verdictOn(clause, traceOf(exchanges));
  if (verdict?.kind !== 'inconclusive') throw new Error(`${clause} is ${verdict?.kind}`);
  return verdict.reason;
}
const notReached = 'the limit of media was not reached twice, one window apart';

/** All at once, of which one is answered each 500 ms. */
const queued = (count: number, eachMs = 500): Exchange[] =>
  times(count, (at) => admitted(0, 1 + at * eachMs));

test('requests that wait for their turn, and are not refused, are said to', () => {
  expect(reasonOf(queued(15))).toBe(
    `at media requests seem to wait for their turn instead of being refused: one is answered each 0.5 s; ${notReached}`,
  );
  expect(reasonOf(queued(15), 'error.status')).toContain('wait for their turn');
});

const shifted = (byMs: readonly number[]): Exchange[] => byMs.map((ms, at) => admitted(0, 1 + at * 500 + ms));

test.each<readonly [string, readonly Exchange[], string]>([
  ['they are eleven', queued(11), '0.5 s'],
  ['they come back in another order', times(15, (at) => admitted(0, 1 + (14 - at) * 500)), '0.5 s'],
  ['one is answered each 20 ms', queued(15, 20), '0.02 s'],
  ['a network shifts them', shifted(Array.from({ length: 15 }, (_, at) => (at % 2) * 50)), '0.45 s'],
  ['one of ten is out of turn', shifted([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 400]), '0.5 s'],
  ['much more follows', [...queued(1_000), ...times(300, () => admitted(600_000, 600_050))], '0.5 s'],
])('also where %s', (_what, exchanges, each) => {
  expect(reasonOf(exchanges, 'error.status')).toContain(`one is answered each ${each};`);
});

test('of two keys, the scope is named once', () => {
  const both = [...queued(15), ...queued(15).map((one) => ({ ...one, key: 'B', index: one.index + 100 }))];
  expect(reasonOf(both).match(/wait for their turn/g)).toHaveLength(1);
});

test.each<readonly [string, readonly Exchange[]]>([
  ['one is refused', [...queued(15), limited(10, 12)]],
  ['they are answered together', times(15, (at) => admitted(0, 500 + at))],
  ['each is sent once the one before is answered', times(15, (at) => admitted(at * 500, at * 500 + 500))],
  ['they are ten', queued(10)],
  ['two of ten are out of turn', shifted([0, 0, 0, 0, 0, 400, 0, 0, 0, 0, 0])],
  ['their answers come as a network has it', times(15, (at) => admitted(0, 500 + at * at * 40))],
  ['the service is only busy', queued(15, 15)],
])('nothing is said where %s', (_what, exchanges) => {
  expect(reasonOf(exchanges)).not.toContain('turn');
});
