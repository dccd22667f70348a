import { describe, expect, it } from 'vitest';
import { narrowed } from './narrowed.ts';

const whole = { lowMs: 100_000, highMs: 165_536 };

describe('what is left of a span', () => {
  it('is its narrowest parts that cannot be ruled out, in their order', () => {
    const places = narrowed(whole, ({ lowMs, highMs }) => highMs <= 100_700 || lowMs >= 100_703);
    expect(places).toEqual([
      { ms: 100_700.5, widthMs: 1 },
      { ms: 100_701.5, widthMs: 1 },
      { ms: 100_702.5, widthMs: 1 },
    ]);
  });

  it('is nothing where all of it is ruled out', () => {
    let asked = 0;
    const ruleOut = () => {
      asked += 1;
      return true;
    };
    expect([narrowed(whole, ruleOut), asked]).toEqual([[], 1]);
  });

  it('is its first parts where much of it is left', () => {
    const places = narrowed(whole, () => false);
    expect(places.map(({ ms }) => ms)).toEqual(Array.from({ length: 64 }, (_, at) => 100_000.5 + at));
  });

  it('is found with no more than four thousand questions', () => {
    let asked = 0;
    // Whatever is asked about cannot be ruled out until it is as narrow as can be.
    const found = narrowed(whole, ({ lowMs, highMs }) => {
      asked += 1;
      return highMs - lowMs <= 1;
    });
    expect([found, asked]).toEqual([[], 4_000]);
  });
});
