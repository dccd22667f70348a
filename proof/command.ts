import { InvalidArgumentError, Option } from 'commander';
import type { PoolOptions } from './pool.ts';

/** Where a command writes, and how it ends: 0 where the proof stands, 1 where it does not. */
export type CommandIo = {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: PoolOptions['stream'];
  readonly exit: (code: 0 | 1) => void;
};

export type Range = { readonly min: number; readonly max?: number };

/** A whole number; `1e6` is one too. */
export function wholeNumber({ min, max }: Range): (text: string) => number {
  const range = max === undefined ? `of ${min} or more` : `from ${min} to ${max}`;
  return (text) => {
    const number = numberOf(text);
    if (!Number.isInteger(number) || number < min || number > (max ?? Number.POSITIVE_INFINITY))
      throw new InvalidArgumentError(`It must be a whole number ${range}.`);
    return number;
  };
}

/** A number, in the unit that the option names. */
export function numberFrom({ min, max }: Required<Range>): (text: string) => number {
  return (text) => {
    const number = numberOf(text);
    if (!(number >= min && number <= max))
      throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
    return number;
  };
}

function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

export function firstSeedOption(byDefault: number): Option {
  return new Option('--first-seed <n>', 'seed of the first run; those that follow have the next ones')
    .argParser(wholeNumber({ min: 0 }))
    .default(byDefault);
}

export function jsonOption(): Option {
  return new Option('--json', 'write the result as JSON to standard output, and nothing else');
}

/** A figure and what it counts, e.g. `1 core`, `2 cores`. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
