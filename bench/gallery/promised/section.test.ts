import { expect, test } from 'vitest';
import { type PromisedRow, promisesIn, withPromises } from './section.ts';

const row = (limiter: string, verdict: string, clauses = ''): PromisedRow => ({
  ...{ limiter, verdict, clauses, isTrue: true },
  ...{ keeps: '9 in 60 s', says: '9 in each 60 s', on: '2026-01-02' },
});
const limiters = ['first', 'second', 'third'];

test('rows take the place of those of the same limiter, in the order of the list, and leave the others', () => {
  const before = withPromises(
    '# A page\n',
    [row('second', 'conformant'), row('third', 'violated', 'a, b open')],
    limiters,
  );
  const after = withPromises(before, [row('second', 'inconclusive'), row('first', 'conformant')], limiters);
  expect(after.split('\n').filter((line) => /^\| (?:first|second|third) /.test(line))).toEqual([
    '| first | 9 in 60 s | 9 in each 60 s | yes | conformant |  | 2026-01-02 |',
    '| second | 9 in 60 s | 9 in each 60 s | yes | inconclusive |  | 2026-01-02 |',
    '| third | 9 in 60 s | 9 in each 60 s | yes | violated | a, b open | 2026-01-02 |',
  ]);
  expect(after.startsWith('# A page\n\n<!-- ')).toBe(true);
  expect(withPromises(after, [], limiters)).toBe(after);
});

test('a limiter that is no longer held has no row', () => {
  const before = withPromises('# A page\n', [row('second', 'conformant')], limiters);
  expect(withPromises(before, [], ['first'])).not.toContain('second');
});

test('a page without them has none', () => {
  expect(promisesIn('# A page\n')).toBe('');
});
