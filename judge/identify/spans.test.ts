import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { windowMsAtLeast, windowMsAtMost } from '../../contract/bounds.ts';
import type { Span } from './fit.ts';
import { cutOut, divided, isWide, joined } from './spans.ts';

const span = (lowMs: number, highMs: number): Span => ({ lowMs, highMs });

const spans = fc.array(
  fc.tuple(fc.nat({ max: 300 }), fc.nat({ max: 60 })).map(([lowMs, wide]) => span(lowMs, lowMs + wide)),
  { maxLength: 12 },
);

it('only a span that has an inside is wide', () => {
  expect([span(1, 2), span(2, 2)].map(isWide)).toEqual([true, false]);
});

describe('a length that is cut out', () => {
  const [below, above] = [windowMsAtLeast(10_000) - 1, windowMsAtMost(10_000) + 1];
  const without = (...of: readonly Span[]) => cutOut(of, span(10_000, 10_000));

  it('takes those with it that no clock distinguishes from it', () => {
    expect(below).toBeLessThan(9_995);
    expect(above).toBeGreaterThan(10_005);
    expect(without(span(9_000, 11_000))).toEqual([span(9_000, below), span(above, 11_000)]);
    expect(without(span(9_000, 10_000))).toEqual([span(9_000, below)]);
    expect(without(span(10_000, 11_000))).toEqual([span(above, 11_000)]);
  });

  it('leaves spans that do not hold it, and the last that is left of one', () => {
    const far = [span(9_000, below - 0.5), span(above + 0.5, 11_000)];
    expect(without(...far)).toEqual(far);
    expect(without(span(9_999, 10_001))).toEqual([span(9_999, 10_001)]);
    expect(without(span(below, above))).toEqual([span(below, above)]);
  });
});

it('a span is divided into parts that follow each other', () => {
  const parts = divided(span(100, 132));
  expect(parts).toHaveLength(16);
  expect(parts[0]).toEqual(span(100, 102));
  expect(parts[15]).toEqual(span(130, 132));
});

describe('spans that are joined', () => {
  it('are the same lengths, and apart by more than two', () => {
    fc.assert(
      fc.property(spans, (given) => {
        const all = joined(given);
        for (const [at, { lowMs }] of all.slice(1).entries())
          expect(lowMs - (all[at] as Span).highMs).toBeGreaterThan(2);
        const holds = (ms: number, some: readonly Span[], byMs: number) =>
          some.some(({ lowMs, highMs }) => ms >= lowMs - byMs && ms <= highMs + byMs);
        const lengths = Array.from({ length: 370 }, (_, ms) => ms);
        const lost = lengths.filter((ms) => holds(ms, given, 0) && !holds(ms, all, 0));
        const added = lengths.filter((ms) => !holds(ms, given, 1) && holds(ms, all, 0));
        expect([lost, added]).toEqual([[], []]);
      }),
    );
  });

  it('are those that touch, or nearly', () => {
    expect(joined([span(13, 20), span(1, 10)])).toEqual([span(1, 10), span(13, 20)]);
    expect(joined([span(12, 20), span(1, 10)])).toEqual([span(1, 20)]);
    // A length that is tried by itself lies within another span.
    expect(joined([span(5, 5), span(1, 10)])).toEqual([span(1, 10)]);
  });
});
