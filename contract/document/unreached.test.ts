import { expect, test } from 'vitest';
import { partOf } from './further-limit.ts';
import type { PromiseSetting } from './promise.ts';
import { keptFrom } from './unreached.ts';

type Said = readonly [limit: number, seconds: number, promise: PromiseSetting];

const bucket = { kind: 'token-bucket', size: 20 } as const;

/** Whether the first keeps the second from being reached, whichever of them the document has first. */
function keeps(one: Said, other: Said): boolean {
  const [first, further] = [one, other].map(([limit, seconds, promise], at) =>
    partOf({ limit, promise }, { name: at === 0 ? null : 'further', seconds }),
  );
  if (first === undefined || further === undefined) throw new Error('there are two');
  const found = keptFrom(further, [first, further]);
  expect([null, first]).toContain(found);
  expect(keptFrom(further, [further, first])).toBe(found);
  return found !== null;
}

test.each<readonly [Said, Said, boolean]>([
  [[120, 60, 'rolling'], [121, 60, 'rolling'], true],
  [[120, 60, 'rolling'], [120, 60, 'rolling'], false],
  [[120, 60, 'at-most'], [241, 61, 'unsaid'], true],
  [[120, 60, 'rolling'], [240, 61, 'unsaid'], false],
  [[10, 1, 'rolling'], [600, 60, 'fixed'], false],
  [[10, 1, 'rolling'], [601, 60, 'fixed'], true],
  // Two of its windows may touch within one of the other.
  [[120, 60, 'fixed'], [240, 60, 'rolling'], false],
  [[120, 60, 'fixed'], [241, 60, 'rolling'], true],
  [[120, 60, 'unsaid'], [240, 60, 'fixed'], false],
  [[120, 60, 'unsaid'], [241, 60, 'fixed'], true],
  [[120, 60, 'unsaid'], [360, 61, 'fixed'], false],
  [[120, 60, 'unsaid'], [361, 61, 'fixed'], true],
  [[10, 1, bucket], [620, 60, 'rolling'], false],
  [[10, 1, bucket], [621, 60, 'rolling'], true],
  // A bucket of 20, 10 a second, is full again after 2 s.
  [[19, 2, 'rolling'], [10, 1, bucket], true],
  [[20, 2, 'rolling'], [10, 1, bucket], false],
  [[1, 60, 'at-least'], [300, 60, 'rolling'], false],
  [[120, 60, 'rolling'], [300, 60, 'at-least'], false],
])('%j keeps %j from being reached: %s', (one, other, expected) => {
  expect(keeps(one, other)).toBe(expected);
});
