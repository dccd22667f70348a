import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byMoment } from './by-moment.ts';

/** As a sort that keeps the order of what is alike puts them. */
function sorted(moments: readonly number[]): readonly number[] {
  return moments.map((_, at) => at).sort((left, right) => (moments[left] ?? 0) - (moments[right] ?? 0));
}

function positionsBy(moments: readonly number[]): readonly number[] {
  return [
    ...byMoment(
      Uint32Array.from(moments, (_, at) => at),
      Float64Array.from(moments),
    ),
  ];
}

test('positions are put in the order of their moments, those of one moment as they stood', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 200 }), (moments) => {
      expect(positionsBy(moments)).toEqual(sorted(moments));
    }),
  );
});

test('the same where all stand in the wrong order, several of one moment', () => {
  const moments = Array.from({ length: 2_000 }, (_, at) => -Math.floor(at / 3));
  expect(positionsBy(moments)).toEqual(sorted(moments));
});
