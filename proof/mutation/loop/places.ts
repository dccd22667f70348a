import type { Location } from '@stryker-mutator/api/core';

/** The text at a place whose lines and columns begin with 0, as those inside Stryker do. */
export function textAt(source: string, { start, end }: Location): string {
  const lines = source.split('\n').slice(start.line, end.line + 1);
  return lines
    .map((line, at) => {
      const to = at === lines.length - 1 ? end.column : line.length;
      return line.slice(at === 0 ? start.column : 0, to);
    })
    .join('\n');
}
