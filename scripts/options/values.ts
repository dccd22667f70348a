import { InvalidArgumentError } from 'commander';
import { type Keys, keysSchema } from '../../contract/document/keys.ts';

/** Which whole numbers an option takes; the error message says so. */
type WholeNumbers = {
  readonly min: number;
  readonly max: number;
  /** What is counted, in the plural. */
  readonly of?: string;
  readonly example?: string;
  /** Why there is no use in more. */
  readonly why?: string;
};

/** A whole number as people write it: digits alone, without zeros in front. */
export function wholeNumber(range: WholeNumbers): (value: string) => number {
  return (value) => {
    if (!isWithin(value, range))
      throw new InvalidArgumentError(`It must be a whole number${rangeText(range)}.`);
    return Number(value);
  };
}

/** Several whole numbers, in one value or in several. */
export function wholeNumbers(
  range: WholeNumbers,
): (value: string, previous: readonly number[] | undefined) => readonly number[] {
  return (value, previous) => {
    const given = list(value, undefined);
    if (!given.every((one) => isWithin(one, range)))
      throw new InvalidArgumentError(`It must be whole numbers${rangeText(range)}.`);
    return [...(previous ?? []), ...given.map(Number)];
  };
}

function isWithin(value: string, { min, max }: WholeNumbers): boolean {
  return /^(0|[1-9]\d*)$/.test(value) && Number(value) >= min && Number(value) <= max;
}

function rangeText({ min, max, of, example, why }: WholeNumbers): string {
  const what = of === undefined ? '' : ` of ${of}`;
  const such = example === undefined ? '' : `, e.g. ${example}`;
  return `${what} from ${min} to ${max}${such}${why === undefined ? '' : `: ${why}`}`;
}

/** How many of something, where only typing errors are above the most. */
export const countOf = wholeNumber({ min: 1, max: 9_999_999 });

/** A port to listen on; 0 stands for any free one. */
export const portOf = wholeNumber({ min: 0, max: 65_535 });

export const millisecondsOf = wholeNumber({ min: 0, max: 999_999, of: 'milliseconds', example: '500' });

type Numbers = { readonly of: string; readonly max?: number; readonly example?: string };

/** A number above 0, which may have decimals. */
export function numberAbove0({ of, max, example }: Numbers): (value: string) => number {
  const most = max === undefined ? '' : `, at most ${max}`;
  const such = example === undefined ? '' : `, e.g. ${example}`;
  return (value) => {
    const number = Number(value);
    if (value.trim() === '' || !Number.isFinite(number) || number <= 0 || number > (max ?? number))
      throw new InvalidArgumentError(`It must be a number of ${of} above 0${most}${such}.`);
    return number;
  };
}

export const secondsOf = numberAbove0({ of: 'seconds', example: '5' });

/** A percentage from 0 to 50, with or without its sign. */
export function percentOf(value: string): number {
  const number = Number(value.replace(/%$/, ''));
  if (value.trim() === '' || !(number >= 0 && number <= 50))
    throw new InvalidArgumentError('It must be a percentage from 0 to 50.');
  return number;
}

/** Values of an option that may be given several times, or several at once with commas or spaces between them. */
export function list(value: string, previous: readonly string[] | undefined): readonly string[] {
  const values = value.split(/[\s,]+/).filter((part) => part !== '');
  if (values.length === 0) throw new InvalidArgumentError('It is empty.');
  return [...(previous ?? []), ...values];
}

/** The same, or the word for no value at all. */
export function namesOrNone(value: string, previous: readonly string[] | undefined): readonly string[] {
  return value === 'none' ? [] : list(value, previous);
}

/** Values of an option that may be given several times, each with spaces and commas of its own. */
export function repeated(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

/** The header of a key, and the word before it where there is one: `X-Api-Key`, `Authorization=Token`. */
export function keysInHeader(value: string): Keys {
  const [header, ...words] = value.split('=');
  const keys = keysSchema.safeParse({ header, ...(words.length === 0 ? {} : { scheme: words.join('=') }) });
  if (keys.success) return keys.data;
  throw new InvalidArgumentError('It must be the name of a header: X-Api-Key, or Authorization=Token.');
}

/** The parameter of the query that carries a key, as `api_key`. */
export function keysInQuery(value: string): Keys {
  const keys = keysSchema.safeParse({ query: value });
  if (keys.success) return keys.data;
  throw new InvalidArgumentError('It must be the name of a parameter: api_key.');
}

/** Text of one form. `otherwise` is the error message. */
export function textLike(form: RegExp, otherwise: string): (value: string) => string {
  return (value) => {
    if (!form.test(value)) throw new InvalidArgumentError(otherwise);
    return value;
  };
}
