import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry } from './entries.ts';
import { mostAdmitted } from './most-admitted.ts';
import { admitted } from './testing/traces.ts';

const entryAt = (lowMs: number, highMs: number): Entry => ({ exchange: admitted(0, 5), lowMs, highMs });

test('two bursts across a boundary are one burst of twice the size', () => {
  const entries = [
    ...Array.from({ length: 120 }, () => entryAt(0, 30)),
    ...Array.from({ length: 120 }, () => entryAt(4_000, 4_100)),
    entryAt(61_000, 61_010),
  ];
  expect(mostAdmitted(entries, 59_975)).toEqual({ count: 240, spanMs: 4_100 });
  expect(mostAdmitted([], 59_975)).toBeNull();
  expect(mostAdmitted([entryAt(0, Number.POSITIVE_INFINITY)], 59_975)).toBeNull();
});

/** By its definition: from each entry on, all that end inside the window. */
function byDefinition(entries: readonly Entry[], windowMs: number) {
  const bursts = entries.flatMap(({ lowMs }, at) => {
    const inside = entries.slice(at).filter(({ highMs }) => highMs < lowMs + windowMs);
    const spanMs = Math.max(...inside.map(({ highMs }) => highMs)) - lowMs;
    return inside.length === 0 ? [] : [{ count: inside.length, spanMs }];
  });
  return bursts.toSorted((left, right) => right.count - left.count || left.spanMs - right.spanMs)[0] ?? null;
}

test('the most and their least span are those of the definition', () => {
  const moment = fc.integer({ min: 0, max: 60 });
  const history = fc.array(fc.tuple(moment, fc.integer({ min: 0, max: 20 })), { maxLength: 25 });
  fc.assert(
    fc.property(history, fc.integer({ min: 1, max: 40 }), (times, windowMs) => {
      const entries = times
        .map(([lowMs, ms]) => entryAt(lowMs, lowMs + ms))
        .sort((left, right) => left.lowMs - right.lowMs);
      expect(mostAdmitted(entries, windowMs)).toEqual(byDefinition(entries, windowMs));
    }),
  );
});
