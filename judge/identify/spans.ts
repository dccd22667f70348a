import { windowMsAtLeast, windowMsAtMost } from '../../contract/bounds.ts';
import { greatestOf, leastOf } from '../../contract/extremes.ts';
import type { Span } from './fit.ts';

export function width({ lowMs, highMs }: Span): number {
  return highMs - lowMs;
}

export function isWide({ lowMs, highMs }: Span): boolean {
  return highMs > lowMs;
}

/** The shortest span that holds all of some. */
export function hullOf(spans: readonly Span[]): Span {
  return {
    lowMs: leastOf(spans.map(({ lowMs }) => lowMs)),
    highMs: greatestOf(spans.map(({ highMs }) => highMs)),
  };
}

/** Spans without a length that was tried and explains less, and without those that no clock distinguishes from it. */
export function cutOut(spans: readonly Span[], { lowMs: ms }: Span): readonly Span[] {
  const [below, above] = [windowMsAtLeast(ms) - 1, windowMsAtMost(ms) + 1];
  return spans.flatMap((span) => {
    if (span.highMs < below || span.lowMs > above) return [span];
    const rest = [
      { lowMs: span.lowMs, highMs: below },
      { lowMs: above, highMs: span.highMs },
    ].filter(isWide);
    return rest.length === 0 ? [span] : rest;
  });
}

/** Parts of a span of lengths that are looked at more closely. */
const parts = 16;

export function divided({ lowMs, highMs }: Span): readonly Span[] {
  const stepMs = (highMs - lowMs) / parts;
  return Array.from({ length: parts }, (_, at) => ({
    lowMs: lowMs + at * stepMs,
    highMs: lowMs + (at + 1) * stepMs,
  }));
}

/** Spans that touch each other as one. */
export function joined(spans: readonly Span[]): readonly Span[] {
  const all: Span[] = [];
  for (const span of [...spans].sort((left, right) => left.lowMs - right.lowMs)) {
    const last = all.at(-1);
    if (last === undefined || span.lowMs > last.highMs + 2) all.push(span);
    else all[all.length - 1] = { lowMs: last.lowMs, highMs: Math.max(last.highMs, span.highMs) };
  }
  return all;
}
