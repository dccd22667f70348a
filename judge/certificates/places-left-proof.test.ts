import { expect, test } from 'vitest';
import { flawsOf, provenOf } from '../testing/certified.ts';
import { admitted, limited, times, traceOf } from '../testing/traces.ts';

test('a refusal after an answer that had left places is proved by both', () => {
  const counted = times(24, (at) => admitted(10 * at, 10 * at + 5, { remaining: String(29 - at) }));
  const [proven, ...others] = provenOf(traceOf([...counted, limited(1_000, 1_005)]));
  expect(others).toEqual([]);
  expect(proven).toMatchObject({
    clause: 'limits.media',
    reason: 'refused-while-remaining',
    parts: [{ rule: 'places-left', relation: '<' }],
  });
  expect(flawsOf(proven)).toEqual([]);
});
