import { expect, test } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { admitted, limited, times, traceOf } from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

function reasonOf(exchanges: readonly Exchange[]): string {
  const verdict = verdictOn('limits.media', traceOf(exchanges));
  if (verdict?.kind !== 'inconclusive') throw new Error(`limits.media is ${verdict?.kind}`);
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
  expect(verdictOn('error.status', traceOf(queued(15)))).toMatchObject({
    reason: expect.stringContaining('wait for their turn'),
  });
});

test('of two keys, the scope is named once', () => {
  const both = [...queued(15), ...queued(15).map((one) => ({ ...one, key: 'B', index: one.index + 100 }))];
  expect(reasonOf(both).match(/wait for their turn/g)).toHaveLength(1);
});

test.each<readonly [string, readonly Exchange[]]>([
  ['one is refused', [...queued(15), limited(10, 12)]],
  ['they are few', queued(8)],
  ['they are answered together', times(15, (at) => admitted(0, 500 + at))],
  ['each is sent once the one before is answered', times(15, (at) => admitted(at * 501, at * 501 + 500))],
  ['their answers come as a network has it', times(15, (at) => admitted(0, 500 + at * at * 40))],
  ['the service is only busy', queued(15, 15)],
])('nothing is said where %s', (_what, exchanges) => {
  expect(reasonOf(exchanges)).not.toContain('turn');
});
