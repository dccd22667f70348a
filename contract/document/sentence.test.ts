import { expect, it } from 'vitest';
import { sentenceSchema, withSentence } from './sentence.ts';

const clause = { id: 'headers.limit', level: 'must', requirement: 'The header is right.' } as const;

it.each([
  [{ says: 'It may lie.' }, { ...clause, requirement: 'The header is right. The document: “It may lie.”' }],
  [{ level: 'observe' }, { ...clause, level: 'observe' }],
  [
    { says: 'It may lie.', level: 'should' },
    { ...clause, level: 'should', requirement: 'The header is right. The document: “It may lie.”' },
  ],
])('%j is said of a clause', (sentence, said) =>
  expect(
    withSentence<{ level: 'must' | 'should' | 'observe'; requirement: string }>(
      clause,
      sentenceSchema.parse(sentence),
    ),
  ).toEqual(said),
);

it('says something', () =>
  expect(sentenceSchema.safeParse({}).error?.issues[0]?.message).toBe('needs says, or level, or both'));
