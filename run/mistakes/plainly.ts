import type { z } from 'zod';
import { isJsonObject } from '../../contract/json-object.ts';
import { nearest } from '../../contract/nearest.ts';
import { insteadAt, wantedAt } from './wanted.ts';

type Issue = z.core.$ZodRawIssue;

/**
 * How parsing is told to say what is wrong: in plain words, and where a field is known with how it is written. What a schema
 * says itself stays.
 */
export const plainly = { error: plainText };

function plainText(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return ofOtherType(issue.expected, issue);
    case 'invalid_value':
      return isAbsent(issue.input) ? absentText(issue) : noneOf(issue.values, issue.input);
    case 'too_small':
      return sizeText(issue, 'least', Number(issue.minimum));
    case 'too_big':
      return sizeText(issue, 'most', Number(issue.maximum));
    case 'invalid_union':
      return isAbsent(issue.input) ? absentText(issue) : ofNoKind(issue);
    default:
      return undefined;
  }
}

function isAbsent(input: unknown): boolean {
  return input === undefined || input === null;
}

function absentText(issue: Issue): string {
  const wanted = wantedAt(pathOf(issue));
  const missing = issue.input === undefined ? 'is missing' : 'is empty';
  return wanted === null ? missing : `${missing}: give ${wanted}`;
}

function ofOtherType(expected: string, issue: Issue): string {
  const { input } = issue;
  if (isAbsent(input)) return absentText(issue);
  const isNumber = expected === 'number' || expected === 'int';
  const wanted = wantedAt(pathOf(issue)) ?? typeText(expected);
  const quoted = isNumber && typeof input === 'string' && /^\d+(\.\d+)?$/.test(input);
  return `must be ${wanted}, not ${isNumber ? shown(input) : kindOf(input)}${quoted ? ': leave out the quotes' : ''}`;
}

function ofNoKind(issue: Issue): string {
  const wanted = wantedAt(pathOf(issue));
  const kind = kindOf(issue.input);
  if (wanted === null) return `cannot be ${kind}`;
  return isJsonObject(issue.input) ? `must be ${wanted}` : `must be ${wanted}, not ${kind}`;
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
  const [close] = typeof input === 'string' ? nearest(input, words) : [];
  const meant = close === undefined ? '' : `; did you mean ${close}?`;
  if (typeof input === 'number' && words.includes(String(input))) return `must be '${input}', in quotes`;
  const known = words.length === 1 ? words.join() : `one of ${words.join(', ')}`;
  return `must be ${known}, not ${shown(input)}${meant}`;
}

function sizeText(issue: Issue, bound: 'least' | 'most', size: number): string {
  const { input } = issue;
  if (typeof input === 'string') {
    if (input === '') return 'must not be empty';
    return `must have at ${bound} ${counted(size, 'character')}, and has ${input.length}`;
  }
  if (Array.isArray(input)) {
    const has = input.length === 0 ? 'none' : String(input.length);
    return `must have at ${bound} ${size} ${size === 1 ? 'entry' : 'entries'}, and has ${has}`;
  }
  const instead = bound === 'most' ? insteadAt(pathOf(issue)) : '';
  return `must be at ${bound} ${size}, not ${shown(input)}${instead}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
