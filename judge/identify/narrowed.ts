import type { Span } from './fit.ts';
import type { Place } from './grid.ts';

/** So many parts of a span are told apart. */
const parts = 2 ** 16;

/** More than so many are not looked at, nor more asked about. */
const placesMax = 64;
const askedMax = 4_000;

/** What is left of a span once whatever can be ruled out is: places in its narrowest parts, the first ones where much is left. */
export function narrowed(whole: Span, isRuledOut: (span: Span) => boolean): readonly Place[] {
  const narrowestMs = (whole.highMs - whole.lowMs) / parts;
  const places: Place[] = [];
  let left = askedMax;
  const look = (span: Span): void => {
    left -= 1;
    if (left < 0 || places.length === placesMax || isRuledOut(span)) return;
    const { lowMs, highMs } = span;
    const ms = (lowMs + highMs) / 2;
    if (highMs - lowMs <= narrowestMs) {
      places.push({ ms, widthMs: highMs - lowMs });
      return;
    }
    look({ lowMs, highMs: ms });
    look({ lowMs: ms, highMs });
  };
  look(whole);
  return places;
}
