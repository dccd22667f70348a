import type { MutantResult } from '@stryker-mutator/api/core';
import { textAt } from './loop/places.ts';
import { type MutantPlace, onOneLine } from './results.ts';

/** A mutant and what became of it. */
export type Tried = MutantPlace & {
  /** Of the place, from 1. */
  readonly lineNumber: number;
  readonly state: 'killed' | 'survived' | 'not-covered';
};

/** `null` where it does not count. */
export function triedOf(
  file: string,
  source: string,
  { location, mutatorName, replacement, status }: MutantResult,
): Tried | null {
  const state = stateOf(status);
  if (state === null) return null;
  const { start, end } = location;
  // Results count lines and columns from 1.
  const text = textAt(source, {
    start: { line: start.line - 1, column: start.column - 1 },
    end: { line: end.line - 1, column: end.column - 1 },
  });
  // A sentence with figures in it: the figures are tried, the words are not.
  if (mutatorName === 'StringLiteral' && /\s/.test(text)) return null;
  return {
    file,
    line: (source.split('\n')[start.line - 1] ?? '').trim(),
    text: onOneLine(text),
    by: onOneLine(replacement ?? ''),
    lineNumber: start.line,
    state,
  };
}

function stateOf(status: MutantResult['status']): Tried['state'] | null {
  switch (status) {
    case 'Killed':
    case 'Timeout':
      return 'killed';
    case 'Survived':
      return 'survived';
    case 'NoCoverage':
      return 'not-covered';
    case 'Ignored':
    case 'CompileError':
    case 'RuntimeError':
      return null;
    case 'Pending':
      throw new Error('Stryker ended before each mutant was tried.');
    default:
      return status satisfies never;
  }
}
