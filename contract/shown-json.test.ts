import { describe, expect, it } from 'vitest';
import { shown } from './shown-json.ts';

describe('a value in a sentence', () => {
  it.each<readonly [unknown, string]>([
    [undefined, 'absent'],
    [null, 'null'],
    ['5', '"5"'],
    ['x'.repeat(78), `"${'x'.repeat(78)}"`],
    ['x'.repeat(79), `"${'x'.repeat(78)}…`],
  ])('%s is shown as %s', (value, text) => {
    expect(shown(value)).toBe(text);
  });

  /** So many levels of a list in a list. */
  const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

  it('is not written where it has more than 200 levels, however many the parser read', () => {
    const tooDeep = 'JSON of more than 200 levels';
    expect(shown(nested(200))).toMatch(/^\[{79}…$/);
    expect([shown(nested(201)), shown([1, { deep: nested(100_000) }])]).toEqual([tooDeep, tooDeep]);
    expect([shown([]), shown([null, 'a', {}])]).toEqual(['[]', '[null,"a",{}]']);
  });
});
