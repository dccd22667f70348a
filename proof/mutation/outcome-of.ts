import type { MutantResult } from '@stryker-mutator/api/core';
import { textAt } from './loop/places.ts';
import type { Change } from './refused.ts';
import { type MutantPlace, onOneLine } from './results.ts';

/** A mutant and what became of it. */
export type TriedMutant = MutantPlace & {
  /** Of the place, from 1. */
  readonly lineNumber: number;
  readonly state: 'killed' | 'timed-out' | 'survived' | 'not-covered' | 'refused' | 'untried';
};

/** The types allow it, and no test fails. */
export function isUnkilled({ state }: TriedMutant): boolean {
  return state === 'survived' || state === 'not-covered';
}

/** What the tests came to; `null` where it does not count. */
export function triedOf(
  file: string,
  source: string,
  { location: { start, end }, mutatorName, replacement = '', status, statusReason }: MutantResult,
): (TriedMutant & Change) | null {
  const state = stateOf(status, statusReason);
  if (state === null) return null;
  // Results count lines and columns from 1.
  const location = {
    start: { line: start.line - 1, column: start.column - 1 },
    end: { line: end.line - 1, column: end.column - 1 },
  };
  const text = textAt(source, location);
  // A sentence with figures in it: the figures are tried, the words are not.
  if (mutatorName === 'StringLiteral' && /\s/.test(text)) return null;
  return {
    file,
    source,
    location,
    replacement,
    line: (source.split('\n')[location.start.line] ?? '').trim(),
    text: onOneLine(text),
    by: onOneLine(replacement),
    lineNumber: start.line,
    state,
  };
}

function stateOf(status: MutantResult['status'], reason = ''): TriedMutant['state'] | null {
  switch (status) {
    case 'Killed':
      return 'killed';
    case 'Timeout':
      return 'timed-out';
    case 'Survived':
      return 'survived';
    case 'NoCoverage':
      return 'not-covered';
    case 'CompileError':
      return 'refused';
    case 'Ignored':
      return reason.startsWith('Static mutant') ? 'untried' : null;
    case 'RuntimeError':
      return null;
    case 'Pending':
      throw new Error('Stryker ended before each mutant was tried.');
    default:
      return status satisfies never;
  }
}
