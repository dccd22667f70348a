import { expect, test } from 'vitest';
import { blocksOf } from './blocks-of.ts';

test('blocks are what is fenced, and what is indented after an empty line', () => {
  const page = [
    'A line',
    '    that goes on, indented, is no block.',
    '',
    '    one',
    '      two',
    '',
    '    three',
    '',
    '1. In a list:',
    '',
    '       four',
    '',
    '```ts',
    'five',
    '',
    '    six',
    '```',
  ].join('\n');
  expect(blocksOf(page)).toEqual([
    { line: 4, language: '', text: 'one\n  two\n\nthree' },
    { line: 11, language: '', text: 'four' },
    { line: 13, language: 'ts', text: 'five\n\n    six' },
  ]);
});
