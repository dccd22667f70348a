import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawn, drawnInteger, neutralAgent, shuffled, varyBy } from './variation.ts';

const seed = fc.nat(0x7fffffff);

test('a detail lies in its range, and depends on the seed, the part, the detail and the position alone', () => {
  fc.assert(
    fc.property(seed, fc.nat(1_000), (one, at) => {
      const range = { usual: 9, least: 2, most: 5 };
      const vary = varyBy(one, 'media');
      const value = drawn(vary, range, 'gap', at);
      expect(value).toBeGreaterThanOrEqual(2);
      expect(value).toBeLessThan(5);
      expect([2, 3, 4, 5]).toContain(drawnInteger(vary, range, 'size', at));
      expect(drawn(varyBy(one, 'media'), range, 'gap', at)).toBe(value);
      expect(drawn(null, range, 'gap', at)).toBe(9);
    }),
  );
});

test('neighbouring seeds and positions give other values, spread evenly', () => {
  const values = Array.from({ length: 4_000 }, (_, at) =>
    varyBy(Math.floor(at / 50), 'media')('gap', at % 50),
  );
  expect(new Set(values).size).toBeGreaterThan(3_990);
  for (let tenth = 0; tenth < 10; tenth += 1) {
    const inside = values.filter((value) => Math.floor(value * 10) === tenth).length;
    expect(inside).toBeGreaterThan(300);
    expect(inside).toBeLessThan(500);
  }
});

test('another order holds the same items', () => {
  fc.assert(
    fc.property(seed, fc.array(fc.nat()), (one, items) => {
      const mixed = shuffled(varyBy(one, 'opening'), items, 'order');
      expect(mixed.toSorted((left, right) => left - right)).toEqual(
        items.toSorted((left, right) => left - right),
      );
    }),
  );
});

test('no agent of a run that does not announce itself names this tool', () => {
  const agents = new Set(Array.from({ length: 200 }, (_, at) => neutralAgent(at)));
  expect(agents.size).toBeGreaterThan(3);
  expect([...agents].join(' ')).not.toMatch(/conformance|k6|probe/i);
});
