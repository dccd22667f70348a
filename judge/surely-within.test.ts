import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bySent, type Entry } from './entries.ts';
import { surelyWithin } from './surely-within.ts';
import { admitted } from './testing/traces.ts';

const moment = fc.integer({ min: 0, max: 12 });
const entry = fc
  .record({ lowMs: moment, tookMs: fc.constantFrom(0, 1, 5, Number.POSITIVE_INFINITY), index: fc.nat(5) })
  .map(
    ({ lowMs, tookMs, index }): Entry => ({
      ...{ exchange: admitted(0, 1, { index }), lowMs },
      highMs: lowMs + tookMs,
    }),
  );

test('what was surely decided within a stretch is what began after its first moment and ended before its last', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 12 }), moment, moment, (entries, fromMs, untilMs) => {
      const expected = entries.filter(({ lowMs, highMs }) => lowMs > fromMs && highMs < untilMs);
      expect(surelyWithin(entries)(fromMs, untilMs)).toEqual(expected.toSorted(bySent));
    }),
  );
});

test('a stretch looks at the entries that were sent in it alone', () => {
  let looks = 0;
  const entries = Array.from({ length: 20_000 }, (_, at) => ({
    ...{ exchange: admitted(0, 1), lowMs: at },
    get highMs() {
      looks += 1;
      return at + 0.5;
    },
  }));
  const within = surelyWithin(entries);
  expect(within(9_000, 9_011)).toHaveLength(10);
  expect(looks).toBeLessThan(20);
});
