import type { Location, Position } from '@stryker-mutator/api/core';

/** The text at a place whose lines and columns begin with 0, as those inside Stryker do. */
export function textAt(source: string, { start, end }: Location): string {
  return source.slice(offsetOf(source, start), offsetOf(source, end));
}

/** The source with another text at that place. */
export function withTextAt(source: string, { start, end }: Location, text: string): string {
  return source.slice(0, offsetOf(source, start)) + text + source.slice(offsetOf(source, end));
}

function offsetOf(source: string, { line, column }: Position): number {
  const before = source.split('\n').slice(0, line);
  return before.reduce((length, { length: own }) => length + own + 1, column);
}
