import type { z } from 'zod';
import { isJsonObject } from './json-object.ts';
import { nearest } from './nearest.ts';
import { howMany } from './quantities.ts';

type Issue = z.core.$ZodRawIssue;

/** What is known of fields by their paths. */
export type KnownFields = {
  /** What has to stand there, with how it is written; `null` where nothing more is known than its type. */
  readonly wantedAt: (path: string) => string | null;
  /** What else can be written where a number is too high; empty where there is nothing. */
  readonly insteadAt: (path: string) => string;
};

const noneKnown: KnownFields = { wantedAt: () => null, insteadAt: () => '' };

/** What parsing is told, so that it says in plain words what is wrong. */
export type PlainWords = { readonly error: (issue: Issue) => string | undefined };

/**
 * How parsing is told to say what is wrong: in plain words, and where a field is known with how it is written. What a schema
 * says itself stays.
 */
export function plainWords(known: KnownFields = noneKnown): PlainWords {
  return { error: (issue) => plainText(issue, known) };
}

/** Where a value does not fit its schema, and what is wrong there: `at.ms is missing`. For values that a program wrote. */
export function misfitOf({ issues: [first] }: z.core.$ZodError): string {
  const path = (first?.path ?? []).map(String).join('.');
  return `${path === '' ? 'it' : path} ${first?.message ?? ''}`;
}

function plainText(issue: Issue, known: KnownFields): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return ofOtherType(issue.expected, issue, known);
    case 'invalid_value':
      return isAbsent(issue.input) ? absentText(issue, known) : noneOf(issue.values, issue.input);
    case 'invalid_format':
      return formats[issue.format] ?? 'is not written as it has to be';
    case 'too_small':
      return sizeText(issue, { bound: 'least', size: Number(issue.minimum) }, known);
    case 'too_big':
      return sizeText(issue, { bound: 'most', size: Number(issue.maximum) }, known);
    case 'invalid_union':
      return ofNoKind(issue, known);
    case 'unrecognized_keys':
      return `has a field that is not known: ${issue.keys.join(', ')}`;
    default:
      return undefined;
  }
}

/** What is said of a format, by what a schema calls it. */
const formats: Readonly<Record<string, string>> = { datetime: 'must be a time, as 2026-01-31T12:00:00Z' };

function isAbsent(input: unknown): boolean {
  return input === undefined || input === null;
}

function absentText(issue: Issue, { wantedAt }: KnownFields): string {
  const wanted = wantedAt(pathOf(issue));
  const missing = issue.input === undefined ? 'is missing' : 'is empty';
  return wanted === null ? missing : `${missing}: give ${wanted}`;
}

function ofOtherType(expected: string, issue: Issue, known: KnownFields): string {
  const { input } = issue;
  if (isAbsent(input)) return absentText(issue, known);
  const isNumber = expected === 'number' || expected === 'int';
  const wanted = known.wantedAt(pathOf(issue)) ?? typeText(expected);
  const quoted = isNumber && typeof input === 'string' && /^\d+(\.\d+)?$/.test(input);
  return `must be ${wanted}, not ${isNumber ? shown(input) : kindOf(input)}${quoted ? ': leave out the quotes' : ''}`;
}

function ofNoKind(issue: Issue, known: KnownFields): string {
  const { input, discriminator, options } = issue as NoKind;
  // It is another field that is wrong where one says which kind of value it is.
  if (discriminator !== undefined && isJsonObject(input))
    return ofNoWord(input[discriminator], options ?? []);
  if (isAbsent(input)) return absentText(issue, known);
  const wanted = known.wantedAt(pathOf(issue));
  const kind = kindOf(input);
  if (wanted === null) return `cannot be ${kind}`;
  return isJsonObject(input) ? `must be ${wanted}` : `must be ${wanted}, not ${kind}`;
}

/** A value of several kinds; where one field says which it is, that field and its words. */
type NoKind = {
  readonly input?: unknown;
  readonly discriminator?: string;
  readonly options?: readonly unknown[];
};

function ofNoWord(input: unknown, words: readonly unknown[]): string {
  return input === undefined ? `is missing: give ${oneOf(words.map(String))}` : noneOf(words, input);
}

function pathOf({ path = [] }: Issue): string {
  return path.map(String).join('.');
}

const types: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'fields with their values',
  record: 'names with their values',
};

function typeText(expected: string): string {
  return types[expected] ?? expected;
}

/** What kind of value it is. Not the value: a key may stand in the wrong field. */
function kindOf(input: unknown): string {
  if (Array.isArray(input)) return 'a list';
  if (input instanceof Date) return 'a date';
  switch (typeof input) {
    case 'string':
      return input === '' ? 'an empty text' : 'a text';
    case 'number':
      return 'a number';
    case 'boolean':
      return String(input);
    case 'object':
      return 'fields with their values';
    default:
      return `a ${typeof input}`;
  }
}

/** The most characters of a text that are shown. */
const shownMax = 40;

/** A value itself, where a number or one of some words was wanted: nobody writes a key there. */
function shown(input: unknown): string {
  if (typeof input === 'number') return String(input);
  if (typeof input !== 'string' || input === '' || input.length > shownMax) return kindOf(input);
  return `"${input}"`;
}

function noneOf(values: readonly unknown[], input: unknown): string {
  const words = values.map(String);
  if (typeof input === 'number' && words.includes(String(input))) return `must be '${input}', in quotes`;
  return `must be ${oneOf(words)}, not ${shown(input)}${meantBy(input, words)}`;
}

function oneOf(words: readonly string[]): string {
  return words.length === 1 ? words.join() : `one of ${words.join(', ')}`;
}

function meantBy(input: unknown, words: readonly string[]): string {
  const [close] = typeof input === 'string' ? nearest(input, words) : [];
  return close === undefined ? '' : `; did you mean ${close}?`;
}

/**
 * What a schema says of a value that is neither one of some words nor what else may stand in its place.
 * @param texts whether a text that is none of the words is shown: not where it may be a secret.
 */
export function neither(
  words: readonly string[],
  others: string,
  texts: 'shown' | 'hidden' = 'shown',
): (issue: { readonly input?: unknown }) => string {
  const known = `${oneOf(words)}, or ${others}`;
  return ({ input }) => {
    if (isAbsent(input)) return `is empty: give ${known}`;
    if (isJsonObject(input)) return `must be ${known}`;
    return `must be ${known}, not ${texts === 'shown' ? shown(input) : kindOf(input)}${meantBy(input, words)}`;
  };
}

function sizeText(
  issue: Issue,
  { bound, size }: { readonly bound: 'least' | 'most'; readonly size: number },
  { insteadAt }: KnownFields,
): string {
  const { input } = issue;
  if (typeof input === 'string') {
    if (input === '') return 'must not be empty';
    return `must have at ${bound} ${howMany(size, 'character')}, and has ${input.length}`;
  }
  if (Array.isArray(input)) {
    const has = input.length === 0 ? 'none' : String(input.length);
    return `must have at ${bound} ${size} ${size === 1 ? 'entry' : 'entries'}, and has ${has}`;
  }
  const instead = bound === 'most' ? insteadAt(pathOf(issue)) : '';
  return `must be at ${bound} ${size}, not ${shown(input)}${instead}`;
}
