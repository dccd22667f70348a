import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { misfitOf, neither, plainWords } from './plain-words.ts';

const lines = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('note'), text: z.string() }),
  z.object({ kind: z.enum(['look', 'end']), at: z.object({ ms: z.number().min(1).max(9) }) }),
]);

function saidOf(schema: z.ZodType, value: unknown): string {
  const { error } = schema.safeParse(value, plainWords());
  return error === undefined ? '' : misfitOf(error);
}

describe('what does not fit is said in plain words, with its place', () => {
  it.each<readonly [z.ZodType, unknown, string]>([
    [lines, { kind: 'note' }, 'text is missing'],
    [lines, { kind: 'note', text: null }, 'text is empty'],
    [lines, { kind: 'note', text: 1 }, 'text must be a text, not a number'],
    [lines, { kind: 'look', at: {} }, 'at.ms is missing'],
    [lines, { kind: 'look', at: { ms: '3' } }, 'at.ms must be a number, not "3": leave out the quotes'],
    [lines, { kind: 'look', at: { ms: 0 } }, 'at.ms must be at least 1, not 0'],
    [lines, { kind: 'end', at: { ms: 10 } }, 'at.ms must be at most 9, not 10'],
    [lines, { kind: 'nt' }, 'kind must be one of note, look, end, not "nt"'],
    [lines, { kind: 'not' }, 'kind must be one of note, look, end, not "not"; did you mean note?'],
    [lines, {}, 'kind is missing: give one of note, look, end'],
    [lines, [], 'it must be fields with their values, not a list'],
    [lines, null, 'it is empty'],
    [z.iso.datetime(), 'today', 'it must be a time, as 2026-01-31T12:00:00Z'],
    [z.base64(), '?', 'it is not written as it has to be'],
    [z.strictObject({}), { a: 1, b: 2 }, 'it has a field that is not known: a, b'],
    [z.array(z.int()).max(1), [1, 2], 'it must have at most 1 entry, and has 2'],
    [z.array(z.int()).min(2), [], 'it must have at least 2 entries, and has none'],
    [z.array(z.boolean()), [true, 'x'], '1 must be true or false, not a text'],
    [z.string().min(1), '', 'it must not be empty'],
    [z.string().max(1), 'ab', 'it must have at most 1 character, and has 2'],
    [z.literal('1'), 1, "it must be '1', in quotes"],
    [z.union([z.string(), z.number()]), true, 'it cannot be true'],
    [z.int(), 'x'.repeat(41), 'it must be a number, not a text'],
    [z.string(), new Date(0), 'it must be a text, not a date'],
    [z.string().refine(() => false, 'is own'), 'a', 'it is own'],
    [z.int(), 1.5, 'it must be a whole number, not 1.5'],
    [z.number(), '12.25', 'it must be a number, not "12.25": leave out the quotes'],
    [z.number(), 'v3', 'it must be a number, not "v3"'],
    [z.number(), '3 s', 'it must be a number, not "3 s"'],
    [z.number(), 'x'.repeat(40), `it must be a number, not "${'x'.repeat(40)}"`],
    [z.number(), '', 'it must be a number, not an empty text'],
    [z.boolean(), '', 'it must be true or false, not an empty text'],
    [z.boolean(), {}, 'it must be true or false, not fields with their values'],
    [z.literal('1'), 2, 'it must be 1, not 2'],
    [z.literal('fast'), 'x', 'it must be fast, not "x"'],
  ])('%#', (schema, value, said) => {
    expect(saidOf(schema, value)).toBe(said);
  });
});

test('what is known of a field is said in place of its type', () => {
  const known = plainWords({
    wantedAt: (path) => (path === 'a.b' ? 'a colour, as red' : null),
    insteadAt: (path) => (path === 'a.n' ? ': take two' : ''),
  });
  const schema = z.object({
    a: z.object({
      b: z.union([z.object({ c: z.string() }), z.array(z.string())]),
      n: z.number().min(0).max(2),
    }),
  });
  const said = (value: unknown) => schema.safeParse(value, known).error?.issues.map(({ message }) => message);
  expect(said({ a: { n: 3 } })).toEqual([
    'is missing: give a colour, as red',
    'must be at most 2, not 3: take two',
  ]);
  expect(said({ a: { b: [], n: -1 } })).toEqual(['must be at least 0, not -1']);
  expect(said({ a: { b: 1, n: 1 } })).toEqual(['must be a colour, as red, not a number']);
  expect(said({ a: { b: {}, n: 1 } })).toEqual(['must be a colour, as red']);
});

describe('what is neither one of some words nor anything else that may stand there', () => {
  const others = [['fast', 'slow'], 'a number'] as const;
  it.each<readonly ['shown' | 'hidden', unknown, string]>([
    ['shown', 'slw', 'must be one of fast, slow, or a number, not "slw"; did you mean slow?'],
    ['shown', 'secret', 'must be one of fast, slow, or a number, not "secret"'],
    ['hidden', 'secret', 'must be one of fast, slow, or a number, not a text'],
    ['shown', [], 'must be one of fast, slow, or a number, not a list'],
    ['shown', {}, 'must be one of fast, slow, or a number'],
    ['shown', null, 'is empty: give one of fast, slow, or a number'],
  ])('%s: %j', (texts, input, expected) => {
    expect(neither(...others, texts)({ input })).toBe(expected);
  });

  it('is shown where nothing else is said', () => {
    expect(neither(...others)({ input: 'secret' })).toMatch(/not "secret"$/);
  });
});
